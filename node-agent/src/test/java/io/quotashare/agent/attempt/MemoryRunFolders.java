package io.quotashare.agent.attempt;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Run folders in memory. They outlive the agent that uses them. */
public final class MemoryRunFolders implements RunFolders {
  private final Map<AttemptName, AttemptSpec> folders = new LinkedHashMap<>();
  private final Map<AttemptName, List<ControlRequest>> controls = new HashMap<>();
  private final Map<AttemptName, String> progress = new HashMap<>();
  private final Map<AttemptName, Long> output = new HashMap<>();

  /** Writes the progress file of an attempt. */
  public void setProgress(AttemptName attempt, String json) {
    progress.put(attempt, json);
  }

  /** Requests that were put into the ctl file, oldest first. */
  public List<ControlRequest> controls(AttemptName attempt) {
    return List.copyOf(controls.getOrDefault(attempt, List.of()));
  }

  /** Sets how much output there is. */
  public void setOutputBytes(AttemptName attempt, long bytes) {
    output.put(attempt, bytes);
  }

  @Override
  public Path root() {
    return Path.of("/attempts");
  }

  @Override
  public Path of(AttemptName attempt) {
    return root().resolve(attempt.folder());
  }

  @Override
  public boolean exists(AttemptName attempt) {
    return folders.containsKey(attempt);
  }

  @Override
  public void create(AttemptSpec spec) {
    folders.put(spec.name(), spec);
  }

  @Override
  public Optional<AttemptSpec> readSpec(AttemptName attempt) {
    return Optional.ofNullable(folders.get(attempt));
  }

  @Override
  public Path checkpointDir(AttemptName attempt) {
    return Path.of("/checkpoints", attempt.queue(), attempt.job());
  }

  @Override
  public Path workDir(AttemptName attempt) {
    return of(attempt).resolve("work");
  }

  @Override
  public void writeControl(AttemptName attempt, ControlRequest request) {
    controls.computeIfAbsent(attempt, unused -> new ArrayList<>()).add(request);
  }

  @Override
  public Optional<byte[]> readProgress(AttemptName attempt) {
    return Optional.ofNullable(progress.get(attempt))
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<Instant> checkpointModifiedAt(AttemptName attempt, Path checkpoint) {
    return Optional.empty();
  }

  @Override
  public List<AttemptName> list() {
    return List.copyOf(folders.keySet());
  }

  @Override
  public long outputBytes(AttemptName attempt) {
    return output.getOrDefault(attempt, 0L);
  }

  @Override
  public void remove(AttemptName attempt) {
    folders.remove(attempt);
  }
}
