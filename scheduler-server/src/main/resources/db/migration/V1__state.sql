-- The state of the scheduler. One row a thing; `data` is the whole row as JSON, the other columns
-- repeat parts of it for queries, and `checksum` covers key, data and written_revision.
-- Times are milliseconds since 1970-01-01 UTC; flags are 0 and 1. docs/store.md explains the tables.

-- The one row that says who may write and how far the state is durable.
CREATE TABLE epoch (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  epoch BIGINT NOT NULL,
  revision BIGINT NOT NULL,
  at_millis BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);

-- Number of rows and sum of their checksums (modulo 2^64) by table: finds rows that are gone or old.
CREATE TABLE digests (
  table_name TEXT NOT NULL PRIMARY KEY,
  row_count BIGINT NOT NULL,
  checksum_sum BIGINT NOT NULL
);

CREATE TABLE queues (
  name TEXT NOT NULL PRIMARY KEY,
  state TEXT NOT NULL,
  idle_assignment TEXT NOT NULL,
  unassigned TEXT NOT NULL,
  max_grace_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);

CREATE TABLE shares (
  queue TEXT NOT NULL REFERENCES queues (name),
  share TEXT NOT NULL,
  state TEXT NOT NULL,
  strategy TEXT NOT NULL,
  in_share_preemption BIGINT NOT NULL,
  min_runtime_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, share)
);

CREATE TABLE nodes (
  name TEXT NOT NULL PRIMARY KEY,
  operator_order TEXT NOT NULL,
  liveness TEXT NOT NULL,
  devices BIGINT NOT NULL,
  startable_devices BIGINT NOT NULL,
  address TEXT NOT NULL,
  boot_id TEXT NOT NULL,
  agent_version TEXT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);

-- Ended jobs stay: this is the history.
CREATE TABLE jobs (
  queue TEXT NOT NULL REFERENCES queues (name),
  job TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  share TEXT NOT NULL,
  display_name TEXT NOT NULL,
  state TEXT NOT NULL,
  waiting_reason TEXT,
  priority BIGINT NOT NULL,
  unit TEXT NOT NULL,
  gpus BIGINT NOT NULL,
  nodes BIGINT NOT NULL,
  submitted_at_millis BIGINT NOT NULL,
  ended_at_millis BIGINT,
  end_reason TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  preemptions BIGINT NOT NULL,
  held BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, job)
);

CREATE UNIQUE INDEX jobs_by_sequence ON jobs (sequence);
CREATE INDEX jobs_by_queue ON jobs (queue, sequence);
CREATE INDEX jobs_by_share ON jobs (queue, share, sequence);
CREATE INDEX jobs_live ON jobs (queue, sequence) WHERE ended_at_millis IS NULL;
CREATE INDEX jobs_live_of_all ON jobs (sequence) WHERE ended_at_millis IS NULL;

CREATE TABLE attempts (
  queue TEXT NOT NULL,
  job TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  share TEXT NOT NULL,
  state TEXT NOT NULL,
  outcome TEXT,
  unit TEXT NOT NULL,
  gpus BIGINT NOT NULL,
  nodes TEXT NOT NULL,
  scheduled_at_millis BIGINT NOT NULL,
  running_at_millis BIGINT,
  ended_at_millis BIGINT,
  stop_cause TEXT,
  exit_code BIGINT,
  end_reason TEXT NOT NULL,
  lost_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, job, attempt),
  FOREIGN KEY (queue, job) REFERENCES jobs (queue, job)
);

-- Plans that wait for devices; a plan that is over leaves no row here but its preemptions.
CREATE TABLE plans (
  plan BIGINT NOT NULL PRIMARY KEY,
  queue TEXT NOT NULL,
  beneficiary_job TEXT NOT NULL,
  share TEXT NOT NULL,
  unit TEXT NOT NULL,
  gpus BIGINT NOT NULL,
  cause TEXT NOT NULL,
  victims BIGINT NOT NULL,
  decided_at_millis BIGINT NOT NULL,
  deadline_millis BIGINT NOT NULL,
  cost_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  FOREIGN KEY (queue, beneficiary_job) REFERENCES jobs (queue, job)
);

CREATE TABLE holds (
  queue TEXT NOT NULL,
  unit TEXT NOT NULL,
  job TEXT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, unit),
  FOREIGN KEY (queue, job) REFERENCES jobs (queue, job)
);

CREATE TABLE preemptions (
  queue TEXT NOT NULL,
  job TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  share TEXT NOT NULL,
  cause TEXT NOT NULL,
  beneficiary_job TEXT,
  beneficiary_share TEXT,
  gpus BIGINT NOT NULL,
  requested_at_millis BIGINT NOT NULL,
  deadline_millis BIGINT NOT NULL,
  saved_at_millis BIGINT,
  freed_at_millis BIGINT,
  expected_cost_device_millis BIGINT NOT NULL,
  lost_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, job, attempt),
  FOREIGN KEY (queue, job, attempt) REFERENCES attempts (queue, job, attempt)
);

CREATE INDEX preemptions_by_time ON preemptions (queue, requested_at_millis DESC, job, attempt);

-- The usage ledger: device-milliseconds by class since the pool first had devices.
CREATE TABLE pool_meters (
  queue TEXT NOT NULL REFERENCES queues (name),
  unit TEXT NOT NULL,
  started_at_millis BIGINT NOT NULL,
  until_millis BIGINT NOT NULL,
  held_device_millis BIGINT NOT NULL,
  held_for_beneficiary_device_millis BIGINT NOT NULL,
  reserved_idle_device_millis BIGINT NOT NULL,
  idle_device_millis BIGINT NOT NULL,
  unhealthy_device_millis BIGINT NOT NULL,
  outside_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, unit)
);

CREATE TABLE share_meters (
  queue TEXT NOT NULL REFERENCES queues (name),
  share TEXT NOT NULL,
  unit TEXT NOT NULL,
  until_millis BIGINT NOT NULL,
  own_device_millis BIGINT NOT NULL,
  borrowed_device_millis BIGINT NOT NULL,
  over_device_millis BIGINT NOT NULL,
  lent_device_millis BIGINT NOT NULL,
  idle_device_millis BIGINT NOT NULL,
  useful_device_millis BIGINT NOT NULL,
  startup_device_millis BIGINT NOT NULL,
  lost_device_millis BIGINT NOT NULL,
  saving_device_millis BIGINT NOT NULL,
  draining_device_millis BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, share, unit)
);

CREATE TABLE counters (
  id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  next_sequence BIGINT NOT NULL,
  next_plan_id BIGINT NOT NULL,
  futile_preemptions BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);

-- Append-only.
CREATE TABLE audit (
  sequence BIGINT NOT NULL PRIMARY KEY,
  at_millis BIGINT NOT NULL,
  principal TEXT NOT NULL,
  action TEXT NOT NULL,
  resource TEXT NOT NULL,
  request_id TEXT NOT NULL,
  value_before TEXT NOT NULL,
  value_after TEXT NOT NULL,
  detail TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL
);

CREATE INDEX audit_by_resource ON audit (resource, sequence);

-- First answers, so that a repeated request gets the same one; request_hash in hexadecimal, answer
-- in Base64.
CREATE TABLE requests (
  principal TEXT NOT NULL,
  request_id TEXT NOT NULL,
  at_millis BIGINT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (principal, request_id)
);
