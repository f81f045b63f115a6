"""Trains a small language model on a dataset of tokens, with any number of ranks.

    python examples/train.py file:///tmp/warehouse demo.text --ranks 2 --out /tmp/run
    (kill it, whenever you like)
    python examples/train.py file:///tmp/warehouse demo.text --ranks 1 --out /tmp/run

The second run goes on from the newest checkpoint in --out, with another number of ranks, and the
losses are the same to the last bit as those of a run that was never killed: each slice's gradient
is computed alone, in float64, and they are added in the order of the slices, whoever has them.

The model looks at two tokens and tells the next: an embedding, a hidden layer, a softmax. With
torch the gradients are its autograd's, without they are written out below.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import batchweave

Floats = npt.NDArray[np.float64]
Tokens = npt.NDArray[Any]
Weights = dict[str, Floats]
#: The sum of the losses of a slice, of how many tokens, and the gradient of that sum.
Part = tuple[float, int, Weights]
Gradients = Callable[[Weights, Tokens, Tokens], Part]

#: Token ids are folded into so many, to keep the example small.
VOCABULARY = 1024
EMBEDDING = 24
HIDDEN = 48
CONTEXT = 2
LEARNING_RATE = 2.0


def main() -> None:
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    spawn = multiprocessing.get_context("spawn")
    pipes = [spawn.Pipe() for _ in range(1, options.ranks)]
    ranks = [
        spawn.Process(target=rank_or_reason, args=(options, rank, [pipes[rank - 1][1]]), daemon=True)
        for rank in range(1, options.ranks)
    ]
    for rank in ranks:
        rank.start()
    for _, theirs in pipes:
        theirs.close()
    rank_or_reason(options, 0, [ours for ours, _ in pipes])
    for rank in ranks:
        rank.join()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Train a small language model.")
    parser.add_argument("warehouse")
    parser.add_argument("dataset", help="one of tokens, such as demo.text")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True, help="a folder, for checkpoints")
    parser.add_argument("--job", default="example")
    parser.add_argument("--session", help="a name for this start; default: made up")
    parser.add_argument("--steps", type=int, default=10**9, help="stop before this step")
    parser.add_argument("--checkpoint-every", type=int, default=10)
    parser.add_argument(
        "--engine",
        choices=("numpy", "torch"),
        default="torch" if importlib.util.find_spec("torch") else "numpy",
    )
    return parser.parse_args()


def rank_or_reason(options: argparse.Namespace, rank: int, peers: list[Connection]) -> None:
    """A rank; why it cannot go on is said in one line, as the text tells all there is to do."""
    try:
        train(options, rank, peers)
    except batchweave.BatchWeaveError as e:
        sys.exit(f"Rank {rank}: {e}")
    except (EOFError, ConnectionResetError):
        sys.exit(f"Rank {rank}: another rank has ended")


def train(options: argparse.Namespace, rank: int, peers: list[Connection]) -> None:
    """The whole of a rank: rank 0 has a pipe to each other, and each other one to rank 0."""
    gradients: Gradients = numpy_gradients if options.engine == "numpy" else torch_gradients()
    weights, state = loaded(options.out)
    data = batchweave.dataset(
        options.warehouse,
        options.dataset,
        job=options.job,
        session=options.session,
        mesh={"dp": (rank, options.ranks)},
    )
    if state is not None:
        data.load_state_dict(state)
    for batch in data:
        if batch.step >= options.steps:
            break
        mine = {
            part.index: gradients(weights, part["tokens"], part["valid"]) for part in batch.slices
        }
        loss, gradient = averaged(mine, rank, peers)
        for name in weights:
            weights[name] -= LEARNING_RATE * gradient[name]
        if rank == 0:
            print(json.dumps({"step": batch.step, "loss": loss}), flush=True)
            if (batch.step + 1) % options.checkpoint_every == 0:
                save(options.out, weights, data.state_dict())
                data.checkpoint(f"step-{batch.step + 1}")


def averaged(
    mine: dict[int, Part], rank: int, peers: list[Connection]
) -> tuple[float, Weights]:
    """The mean loss of a step and its gradient, the same on all ranks.

    Floating-point addition depends on its order: it is that of the slices.
    """
    if rank != 0:
        peers[0].send(mine)
        result: tuple[float, Weights] = peers[0].recv()
        return result
    parts = dict(mine)
    for peer in peers:
        parts |= peer.recv()
    loss, count = 0.0, 0
    total: Weights = {}
    for index in sorted(parts):
        part_loss, part_count, gradient = parts[index]
        loss, count = loss + part_loss, count + part_count
        for name, value in gradient.items():
            total[name] = total[name] + value if name in total else value
    count = max(count, 1)
    mean = loss / count, {name: value / count for name, value in total.items()}
    for peer in peers:
        peer.send(mean)
    return mean


def examples(tokens: Tokens, valid: Tokens) -> tuple[Tokens, Tokens]:
    """Of rows of tokens, of which the first ``valid`` count: the contexts and what comes next."""
    folded = tokens % VOCABULARY
    positions = np.arange(CONTEXT, tokens.shape[1])
    counts = positions[None, :] < valid[:, None]
    contexts = np.stack([folded[:, positions - back] for back in range(CONTEXT, 0, -1)], axis=-1)
    return contexts[counts], folded[:, CONTEXT:][counts]


def numpy_gradients(weights: Weights, tokens: Tokens, valid: Tokens) -> Part:
    """The loss of a slice and its gradient, written out."""
    context, target = examples(tokens, valid)
    rows = np.arange(len(target))
    embedded = weights["embedding"][context].reshape(len(target), CONTEXT * EMBEDDING)
    hidden = np.tanh(embedded @ weights["hidden"])
    scores = hidden @ weights["output"]
    scores -= scores.max(axis=1, keepdims=True, initial=-np.inf)
    log_total = np.log(np.exp(scores).sum(axis=1))
    loss = float((log_total - scores[rows, target]).sum())
    d_scores = np.exp(scores - log_total[:, None])
    d_scores[rows, target] -= 1
    d_hidden = (d_scores @ weights["output"].T) * (1 - hidden**2)
    d_embedding = np.zeros_like(weights["embedding"])
    d_embedded = (d_hidden @ weights["hidden"].T).reshape(len(target), CONTEXT, EMBEDDING)
    np.add.at(d_embedding, context, d_embedded)
    gradient = {
        "embedding": d_embedding,
        "hidden": embedded.T @ d_hidden,
        "output": hidden.T @ d_scores,
    }
    return loss, len(target), gradient


def torch_gradients() -> Gradients:
    """The same by torch's autograd."""
    import torch

    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)

    def gradients(weights: Weights, tokens: Tokens, valid: Tokens) -> Part:
        leaves = {name: torch.from_numpy(value).requires_grad_() for name, value in weights.items()}
        context, target = (torch.from_numpy(part).long() for part in examples(tokens, valid))
        embedded = torch.nn.functional.embedding(context, leaves["embedding"])
        hidden = torch.tanh(embedded.flatten(start_dim=1) @ leaves["hidden"])
        scores = hidden @ leaves["output"]
        loss = torch.nn.functional.cross_entropy(scores, target, reduction="sum")
        loss.backward()
        return (
            loss.item(),
            len(target),
            {name: leaf.grad.numpy() for name, leaf in leaves.items()},
        )

    return gradients


def loaded(folder: Path) -> tuple[Weights, dict[str, Any] | None]:
    """The newest checkpoint, or the weights that every run begins with."""
    path = folder / "checkpoint.npz"
    if path.exists():
        with np.load(path) as saved:
            weights = {name: saved[name] for name in saved.files if name != "data"}
            return weights, json.loads(str(saved["data"]))
    chance = np.random.default_rng(7)
    shapes = {
        "embedding": (VOCABULARY, EMBEDDING),
        "hidden": (CONTEXT * EMBEDDING, HIDDEN),
        "output": (HIDDEN, VOCABULARY),
    }
    return {name: chance.normal(0, 0.1, shape) for name, shape in shapes.items()}, None


def save(folder: Path, weights: Weights, state: dict[str, Any]) -> None:
    """The model and where its data stands in one file, which is there whole or not at all."""
    unfinished = folder / "unfinished.npz"
    with open(unfinished, "wb") as file:
        np.savez(file, data=np.array(json.dumps(state)), **weights)  # type: ignore[arg-type]
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(folder / "checkpoint.npz")


if __name__ == "__main__":
    main()
