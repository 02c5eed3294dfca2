-- The usage ledger over time: the accounts of a queue and unit at one instant, as sums since its
-- `started_at_millis`. What lies between two instants is the difference of two rows; the shares'
-- accounts are in `data`.
CREATE TABLE usage_samples (
  queue TEXT NOT NULL REFERENCES queues (name),
  unit TEXT NOT NULL,
  at_millis BIGINT NOT NULL,
  started_at_millis BIGINT NOT NULL,
  held_for_beneficiary_device_millis BIGINT NOT NULL,
  reserved_idle_device_millis BIGINT NOT NULL,
  idle_device_millis BIGINT NOT NULL,
  unhealthy_device_millis BIGINT NOT NULL,
  outside_device_millis BIGINT NOT NULL,
  shares BIGINT NOT NULL,
  data TEXT NOT NULL,
  written_revision BIGINT NOT NULL,
  checksum BIGINT NOT NULL,
  PRIMARY KEY (queue, unit, at_millis)
);
