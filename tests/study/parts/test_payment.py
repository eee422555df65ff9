from __future__ import annotations

from pathlib import Path

import pytest

from portrayal.errors import ConfigError
from portrayal.services.account import Account, UnlimitedAccount
from portrayal.store.ledger import Ledger, spent_by_part
from portrayal.store.workspace import Workspace
from portrayal.study.parts.payment import pay_from, require_price


class Local:
    name = "local@1"


class Shop:
    """Its calls cost money."""

    name = "shop@1#ab"

    def __init__(self, price: float | None = 0.5) -> None:
        self.account: Account = UnlimitedAccount()
        self._price = price

    def price(self, text: str) -> float | None:
        return self._price if text == "" else 1.0


def test_who_costs_money_pays_from_the_study(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    shop = Shop()
    assert pay_from(shop, Ledger(workspace, None)) is shop
    shop.account.settle(shop.account.reserve(0.5, "generator 'shop'", "job"), 0.25)
    assert spent_by_part(workspace) == {"shop@1#ab": 0.25}


def test_a_part_of_this_machine_is_left_alone(tmp_path: Path) -> None:
    part = pay_from(Local(), Ledger(Workspace(tmp_path), 1.0))
    assert not hasattr(part, "account")


def test_a_budget_needs_prices(tmp_path: Path) -> None:
    shop = Shop(price=None)
    with pytest.raises(ConfigError, match=r"nobody knows that of shop@1#ab: set options\.price"):
        pay_from(shop, Ledger(Workspace(tmp_path), 1.0))
    assert isinstance(shop.account, UnlimitedAccount)
    pay_from(shop, Ledger(Workspace(tmp_path), None))
    assert not isinstance(shop.account, UnlimitedAccount)


def test_free_is_a_price() -> None:
    require_price(Shop(price=0.0), "shop@1")
    require_price(Local(), "local@1")
