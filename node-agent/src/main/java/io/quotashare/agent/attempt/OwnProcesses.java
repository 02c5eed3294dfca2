package io.quotashare.agent.attempt;

import io.quotashare.agent.inventory.KnownProcesses;
import io.quotashare.agent.supervise.JobSupervisor;
import jakarta.inject.Inject;

/** Processes of attempts of this agent are no outsiders on its devices. */
final class OwnProcesses implements KnownProcesses {
  private final JobSupervisor supervisor;
  private final RunFolders folders;

  @Inject
  OwnProcesses(JobSupervisor supervisor, RunFolders folders) {
    this.supervisor = supervisor;
    this.folders = folders;
  }

  @Override
  public boolean belongsToAttempt(int pid) {
    return supervisor.owns(folders.root(), pid);
  }
}
