"""The training job of the integration tests: steps, saves, stops when asked, goes on from its checkpoint.

It keeps the checkpoint contract (docs/checkpoint-contract.md, tier T2) and nothing else of the scheduler. It ends when the
test lays a file named finish.JOB into its folder, so a test waits for nothing but what it is about. What it does, it tells
twice, in the same lines: on standard output, and in a file of its own that no agent and no scheduler touches:

  start job=J attempt=N rank=N pid=N resume=0|1 from=STEP devices=UUID,... nodes=N per_node=N master=HOST:PORT t=SECONDS
  step n=STEP t=SECONDS
  saving step=STEP t=SECONDS        only with --hold-save: asked to save, and waits for the word of the test
  saved step=STEP t=SECONDS
  stopped|done|terminated step=STEP t=SECONDS
"""

import argparse
import json
import os
import signal
import socket
import sys
import time

JOB = os.environ["QS_JOB_ID"]
ATTEMPT = os.environ["QS_ATTEMPT_NO"]
RUN = os.environ["QS_RUN_DIR"]
CHECKPOINT = os.path.join(os.environ["QS_CHECKPOINT_DIR"], "state.json")
RANK = int(os.environ["QS_NODE_RANK"])
NODES = int(os.environ["QS_NNODES"])
MASTER = (os.environ.get("MASTER_ADDR", ""), int(os.environ.get("MASTER_PORT", "0")))

parser = argparse.ArgumentParser()
parser.add_argument("folder", help="where the test leaves its words and this job its history")
parser.add_argument("--step-seconds", type=float, default=0.05)
parser.add_argument("--save-every", type=int, default=10, help="steps between checkpoints of its own")
parser.add_argument("--hold-save", action="store_true", help="save for a stop only once save.JOB is there")
parser.add_argument("--ignore-term", action="store_true", help="go on after SIGTERM")
parser.add_argument("--exit-code", type=int, default=0)
options = parser.parse_args()


def told(word):
    return os.path.exists(os.path.join(options.folder, word + "." + JOB))


class History:
    def __init__(self):
        self.file = open(os.path.join(options.folder, "history", f"{JOB}.{ATTEMPT}.{RANK}"), "a")

    def tell(self, what, **facts):
        line = " ".join([what] + [f"{key}={value}" for key, value in facts.items()] + [f"t={time.time():.3f}"])
        self.file.write(line + "\n")
        self.file.flush()
        print(line, flush=True)


def replace(path, facts):
    with open(path + ".new", "w") as file:
        json.dump(facts, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


class Contract:
    """ctl and progress."""

    def __init__(self):
        self.facts = {"pid": os.getpid(), "caps": ["on_demand"]}
        self.written = 0.0

    def request(self):
        try:
            with open(os.path.join(RUN, "ctl")) as file:
                asked = json.load(file)
        except FileNotFoundError:
            return None
        return asked if asked["seq"] > self.facts.get("ack_seq", 0) else None

    def report(self, step, state, **facts):
        self.facts.update(facts, step=step, state=state, t=time.time())
        replace(os.path.join(RUN, "progress"), self.facts)
        self.written = time.monotonic()

    def report_now_and_then(self, step):
        if time.monotonic() - self.written >= 1:
            self.report(step, "running")


class Peers:
    """The other nodes of the gang: rank 0 says what comes next, and all do it together."""

    def __init__(self):
        self.files = []
        if NODES > 1 and RANK == 0:
            server = socket.create_server(MASTER, backlog=NODES)
            self.files = [server.accept()[0].makefile("rw") for _ in range(NODES - 1)]
        elif NODES > 1:
            self.files = [self.dial().makefile("rw")]

    def dial(self):
        end = time.monotonic() + 30
        while True:
            try:
                return socket.create_connection(MASTER)
            except ConnectionRefusedError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def say(self, word):
        for file in self.files:
            file.write(word + "\n")
            file.flush()

    def hear(self):
        return self.files[0].readline().strip()


terminated = False


def on_term(signum, frame):
    global terminated
    terminated = True


def save(contract, history, step, **facts):
    captured = time.time()
    replace(CHECKPOINT, {"step": step})
    contract.report(
        step,
        facts.pop("state", "running"),
        ckpt_step=step,
        ckpt_state_t=captured,
        ckpt_durable_t=time.time(),
        ckpt_path="state.json",
        **facts,
    )
    history.tell("saved", step=step)


def answer(contract, history, peers, step, asked):
    """Does what the agent asks for; does not return if that is to stop."""
    stop = asked["op"] == "checkpoint_and_stop"
    if stop and options.hold_save:
        contract.report(step, "saving")
        history.tell("saving", step=step)
        while not told("save") and not terminated:
            time.sleep(0.02)
    save(contract, history, step, ack_seq=asked["seq"], state="stopped" if stop else "running")
    if stop:
        peers.say("stop")
        history.tell("stopped", step=step)
        sys.exit(0)


def lead(history, step):
    contract = Contract()
    peers = Peers()
    contract.report(step, "running")
    while not told("finish"):
        asked = contract.request()
        if asked:
            answer(contract, history, peers, step, asked)
        if terminated:
            history.tell("terminated", step=step)
            sys.exit(143)
        peers.say("step")
        time.sleep(options.step_seconds)
        step += 1
        history.tell("step", n=step)
        if step % options.save_every == 0:
            save(contract, history, step)
        contract.report_now_and_then(step)
    peers.say("done")
    contract.report(step, "done")
    history.tell("done", step=step)


def follow(history, step):
    peers = Peers()
    word = peers.hear()
    while word == "step":
        step += 1
        history.tell("step", n=step)
        word = peers.hear()
    history.tell({"done": "done", "stop": "stopped"}.get(word, "terminated"), step=step)
    if not word:
        sys.exit(1)


def main():
    signal.signal(signal.SIGTERM, signal.SIG_IGN if options.ignore_term else on_term)
    history = History()
    step = 0
    if os.path.exists(CHECKPOINT):
        with open(CHECKPOINT) as file:
            step = json.load(file)["step"]
    history.tell(
        "start",
        job=JOB,
        attempt=ATTEMPT,
        rank=RANK,
        pid=os.getpid(),
        resume=os.environ["QS_RESUME"],
        **{"from": step},
        devices=os.environ["QS_GPU_UUIDS"],
        nodes=NODES,
        per_node=os.environ["QS_GPUS_PER_NODE"],
        master="%s:%d" % MASTER,
    )
    if RANK == 0:
        lead(history, step)
    else:
        follow(history, step)
    sys.exit(options.exit_code)


main()
