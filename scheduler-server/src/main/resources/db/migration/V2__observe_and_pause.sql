-- Queues that only observe, what they would have stopped, and the pause of scheduling.

ALTER TABLE queues ADD COLUMN preemption_mode TEXT NOT NULL DEFAULT 'ENFORCE';

-- Whom a queue that only observes would stop now, one row a beneficiary; gone when its wait is over.
CREATE TABLE observations (
  observation BIGINT NOT NULL PRIMARY KEY,
  queue TEXT NOT NULL REFERENCES queues (name),
  unit TEXT NOT NULL,
  share TEXT NOT NULL,
  beneficiary_job TEXT,
  victims BIGINT NOT NULL,
  decided_at_millis BIGINT NOT NULL,
  cost_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  FOREIGN KEY (queue, beneficiary_job) REFERENCES jobs (queue, job)
);

-- What was decided and not carried out: once for each set of victims of a beneficiary. History, so
-- it refers to no job that may be gone.
CREATE TABLE observed_preemptions (
  queue TEXT NOT NULL REFERENCES queues (name),
  job TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  decision BIGINT NOT NULL,
  share TEXT NOT NULL,
  cause TEXT NOT NULL,
  beneficiary_job TEXT,
  beneficiary_share TEXT,
  gpus BIGINT NOT NULL,
  decided_at_millis BIGINT NOT NULL,
  expected_cost_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, job, attempt, decision)
);

CREATE INDEX observed_preemptions_by_time
  ON observed_preemptions (queue, decided_at_millis DESC, job, attempt, decision);

-- One row while an operator has paused scheduling.
CREATE TABLE pause (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  reason TEXT NOT NULL,
  since_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);
