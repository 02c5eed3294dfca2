#!/usr/bin/env python3
"""A stand-in for training: it steps, saves checkpoints, and goes on where it stopped.

Plain Python (3.8 or newer), standard library only. The lines marked "contract" are all that it
takes to be stopped by the scheduler without losing work; docs/checkpoint-contract.md describes
them. Without the scheduler it runs as well: python3 train.py --steps 20
"""

import argparse
import json
import os
import signal
import sys
import time

RUN_DIR = os.environ.get("QS_RUN_DIR")  # contract: requests and progress of this attempt
CHECKPOINT_DIR = os.environ.get("QS_CHECKPOINT_DIR", "checkpoints")  # contract: kept over attempts
CHECKPOINT_EVERY = float(os.environ.get("QS_CHECKPOINT_EVERY_S", "10"))  # contract: a suggestion
CHECKPOINT = os.path.join(CHECKPOINT_DIR, "state.json")


def replace_file(path, data):
    """Writes aside, makes it durable, and renames: a reader sees the old file or the new one."""
    with open(path + ".new", "w") as f:
        json.dump(data, f)
        f.flush()
        os.fsync(f.fileno())
    os.replace(path + ".new", path)


def request():
    """contract: what the scheduler asks for, or nothing."""
    if RUN_DIR is None:
        return {}
    try:
        with open(os.path.join(RUN_DIR, "ctl")) as f:
            return json.load(f)
    except FileNotFoundError:
        return {}


def report(facts):
    """contract: what the scheduler should know, so that it can price a stop."""
    if RUN_DIR is not None:
        replace_file(os.path.join(RUN_DIR, "progress"), dict(facts, t=time.time(), pid=os.getpid()))


def train_one_step(state, seconds):
    """The work: here the loss only falls a little."""
    time.sleep(seconds)
    state["step"] += 1
    state["loss"] = round(state["loss"] * 0.999 + 0.0001, 6)


def load():
    try:
        with open(CHECKPOINT) as f:
            state = json.load(f)
        print("resuming at step %d of the checkpoint" % state["step"], flush=True)
    except FileNotFoundError:
        state = {"step": 0, "loss": 4.0}
        print("starting at step 0", flush=True)
    return state


def watch_for_sigterm():
    """Saves on SIGTERM too: a job that is not asked by the contract gets nothing but this."""
    seen = []
    signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=100, help="steps in all")
    parser.add_argument("--step-seconds", type=float, default=0.1, help="how long one takes")
    args = parser.parse_args()

    os.makedirs(CHECKPOINT_DIR, exist_ok=True)
    state = load()
    facts = {"caps": ["on_demand"], "state": "running"}  # contract: this job reads requests
    if state["step"] > 0:
        facts.update(ckpt_step=state["step"], ckpt_path="state.json",
                     ckpt_state_t=os.path.getmtime(CHECKPOINT),
                     ckpt_durable_t=os.path.getmtime(CHECKPOINT))
    last_save, last_report = time.monotonic(), 0.0
    done_seq = 0
    sigterm = watch_for_sigterm()

    while state["step"] < args.steps:
        train_one_step(state, args.step_seconds)
        now = time.monotonic()

        asked = request()  # contract
        is_asked = asked.get("seq", 0) > done_seq  # contract
        if is_asked or sigterm or now - last_save >= CHECKPOINT_EVERY:
            captured = time.time()
            replace_file(CHECKPOINT, state)
            last_save = now
            print("step %d, loss %.4f: saved" % (state["step"], state["loss"]), flush=True)
            facts.update(ckpt_step=state["step"], ckpt_path="state.json",  # contract
                         ckpt_state_t=captured, ckpt_durable_t=time.time())  # contract
        if is_asked:
            done_seq = asked["seq"]  # contract
            facts["ack_seq"] = done_seq  # contract: confirmed only now that it is durable
            if asked["op"] == "checkpoint_and_stop":  # contract
                report(dict(facts, step=state["step"], state="stopped"))  # contract
                print("asked to stop (%s): saved, good-bye" % asked.get("reason"), flush=True)
                return
        if sigterm:
            report(dict(facts, step=state["step"]))  # contract
            print("terminated: saved, good-bye", flush=True)
            sys.exit(128 + signal.SIGTERM)  # not 0: the work is not done
        if is_asked or now - last_report >= 1:
            report(dict(facts, step=state["step"]))  # contract
            last_report = now

    report(dict(facts, step=state["step"], state="done"))  # contract
    print("done after %d steps, loss %.4f" % (state["step"], state["loss"]), flush=True)


if __name__ == "__main__":
    main()
