from __future__ import annotations

import threading

from portrayal.services.transport.turn import answer_scope, wait_turn


def test_one_large_answer_is_held_at_a_time() -> None:
    order = list[str]()
    held, waiting = threading.Event(), threading.Event()

    def second() -> None:
        held.wait()
        with answer_scope():
            assert not wait_turn(0.01)
            waiting.set()
            assert wait_turn()
            order.append("second")

    thread = threading.Thread(target=second)
    thread.start()
    with answer_scope():
        assert wait_turn()
        with answer_scope():
            assert wait_turn()  # ours already, also inside of a call that makes another
        held.set()
        waiting.wait()
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_an_error_ends_the_turn_and_nobody_outside_of_an_answer_takes_it() -> None:
    try:
        with answer_scope():
            wait_turn()
            raise ValueError
    except ValueError:
        pass
    assert wait_turn(0)
    with answer_scope():
        assert wait_turn(0)
