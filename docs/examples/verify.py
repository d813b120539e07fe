#!/usr/bin/env python3
"""Checks what `lode export` wrote, by the rules in docs/reference/log-format.md and with nothing of Lode's.

    python3 verify.py [--case] log.ndjson [HEADS ...]

HEADS is a line that `lode heads` printed once: the file must begin with that very history. With --case it is one person's
case file, whose first line says where it ends; of a transfer it has one half. Answers 0 when nothing is wrong, 1 and the first
fault when something is, 2 when it was called wrongly. Needs Python 3.9, and memory for one line a stream, id, open hold and transfer.
"""
import hashlib
import json
import re
import sys
import uuid

EVENT_IDS = uuid.UUID("6d1d8c4e-0a55-5b0e-9d6c-5f9f3f8f3a01")
SCALES = {"USD": 2, "BTC": 8, "USDT": 6, "PI": 7}
OPERATOR = {"operator/deposits", "operator/payouts", "operator/bonus", "operator/adjustments", "transit"}
# The newest version of every event type, by what the names of its streams begin with.
KNOWN = {
    "access-": "SignedIn SignInRefused SessionEnded SessionsEnded PasswordChanged PasswordReset SecondFactorChanged"
    " EmailChangeAsked EmailChangeConfirmed EmailChanged EmailChangeFailed TransferPinSet TransferPinRefused ParkedEventDiscarded",
    "account-": "AccountOpened ProfileChanged ProfileImageChanged WalletAddressSaved:2 WalletAddressCanceled MoneyOutDelayed"
    " TermsAccepted EmailVerificationAsked EmailVerified AccountSuspended AccountActivated PersonForgotten"
    " FundingRequested:2 FundingConfirmed:2 FundingRejected RequestApproved AdjustmentProposed AdjustmentApproved AdjustmentRejected WalletCredited:2 WalletDebited:2"
    " BalanceWrittenOff WithdrawalRequested WithdrawalConfirmed:2 WithdrawalRejected TransferRequested TransferConfirmed TransferRejected"
    " TransferSettled TransferReturned TransferReceived TransferRefused BonusCycleStarted BonusCycleRestarted BonusAccrued BonusStopped",
    "admins": "AdminAdmitted AdminSuspended AdminActivated AdminRemoved AdminDutyChanged AdminExpected", "change-": "ChangeAsked ChangeApproved ChangeMade ChangeRejected ChangeRefused",
    "invitation-": "InvitationIssued:2 InvitationAccepted InvitationRevoked", "allowance-": "AllowanceUsed", "notes-": "NoteAdded",
    "platform": "PlatformFounded ClockAccepted StoresAccepted", "message-": "MessageSent MessageRead MessageUnread MessageForgotten",
    "operations-": "OperationOrdered", "product-": "ProductCreated ProductChanged ProductStockChanged ProductDeleted",
    "security-": "AttemptsLockedOut ListExported PersonRead RequestsForbidden RequestsLimited SignInsRefused",
    "settings-": "DepositDetailsChanged:2 DollarRateSet PricesSet BonusPolicySet ContentChanged AdminAccessSet ApprovalLimitsSet",
}
VERSIONS = {prefix: {name: int(newest or 1) for name, _, newest in (one.partition(":") for one in types.split())} for prefix, types in KNOWN.items()}
MEMBERS = {"at", "data", "id", "meta", "position", "revision", "stream", "type", "version"}
META = {"actor", "causationId", "chain", "commandId", "correlationId", "requestHash"}
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
AMOUNT = re.compile(r"(-?\d+)(?:\.(?=\d))?(\d*)", re.ASCII)
HEADS = re.compile(r"lode-heads-1:[0-9a-f-]+:\d+:\d+:\d+:[0-9a-f]{64}", re.ASCII)
SURROGATE = re.compile("[\ud800-\udfff]")


class Fault(Exception):
    """What is wrong with a line."""


def require(condition, what):
    if not condition:
        raise Fault(what)


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def unique(pairs):
    require(len({name for name, _ in pairs}) == len(pairs), "a member stands in it twice")
    return dict(pairs)


def canonical(value):
    """Canonical JSON: members in the order of their UTF-16 code units, no spaces, whole numbers, fewest escapes."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    require(not isinstance(value, float), "a number in it is not whole")
    require(not isinstance(value, int) or abs(value) < 2**53, "a number in it is too large")
    return SURROGATE.sub(lambda half: "\\u%04x" % ord(half.group()), json.dumps(value, ensure_ascii=False))


def minor_units(amount, currency):
    require(currency in SCALES and isinstance(amount, str), f"{amount} {currency} is no amount")
    found = AMOUNT.fullmatch(amount)
    require(found and len(found[2]) <= SCALES[currency], f"{amount} {currency} is no amount")
    return int(found[1] + found[2].ljust(SCALES[currency], "0"))


def heads_line(platform, position, events, heads):
    """The line that `lode heads` prints: every stream's revision and chain, one after the other by the stream's name."""
    digest = sha256("".join(sorted(f"{stream} {revision} {chain}\n" for stream, (revision, chain) in heads.items())))
    return f"lode-heads-1:{platform or '-'}:{position}:{events}:{len(heads)}:{digest}"


class Log:
    def __init__(self, kept, is_case):
        self.is_case, self.kept = is_case, [(int(line.split(":")[3]), line) for line in kept]
        self.position, self.events, self.platform, self.history = 0, 0, None, hashlib.sha256()
        self.heads, self.commands, self.ids = {}, {}, set()
        self.sums, self.holds, self.transit, self.end = {}, {}, {}, {}

    def begin(self, line):
        self.end = json.loads(line, object_pairs_hook=unique)["end"]

    def add(self, line):
        event = json.loads(line, object_pairs_hook=unique)
        require(isinstance(event, dict) and set(event) == MEMBERS, "it has not the members of an event")
        require(canonical(event) == line, "it is not canonical JSON")
        self.check_place(event)
        self.check_chain(event)
        self.check_type(event)
        self.check_money(event)
        self.events += 1
        self.history.update(event["meta"]["chain"].encode())
        for kept in (line for events, line in self.kept if events == self.events):
            # A log that was moved between engines has other positions, and is the same history.
            found = heads_line(self.platform, kept.split(":")[2], self.events, self.heads)
            require(found == kept, f"up to here the history is not the one of {kept}")

    def check_place(self, event):
        require(re.fullmatch("[1-9][0-9]{0,19}", event["position"]), "its position is none")
        position = int(event["position"])
        require(position > self.position, f"it does not stand after position {self.position}")
        # A log in a file counts its events from 1. One on a server begins later, and leaves positions out.
        is_counted = self.events > 0 and self.position == self.events
        require(not is_counted or position == self.position + 1, "an event before it is missing")
        self.position = position
        require(INSTANT.fullmatch(event["at"]), "its time is no instant")

    def check_chain(self, event):
        stream, meta = event["stream"], event["meta"]
        require(META <= set(meta), "its meta lacks a member")
        revision, chain = self.heads.get(stream, (-1, "0" * 64))
        require(event["revision"] == revision + 1, f"revision {revision + 1} of {stream} should stand here")
        covered = {name: event[name] for name in MEMBERS - {"position"}}
        covered["meta"] = {name: meta[name] for name in meta if name != "chain"}
        require(sha256(chain + canonical(covered)) == meta["chain"], "its hash is not that of what it covers")
        before, index = self.commands.get(stream, (None, 0))
        index = index + 1 if before == meta["commandId"] else 0
        require(str(uuid.uuid5(EVENT_IDS, f"{meta['commandId']}/{index}")) == event["id"], "its id is not its command's")
        require(event["id"] not in self.ids, "its id is there twice")
        self.ids.add(event["id"])
        self.heads[stream] = (event["revision"], meta["chain"])
        self.commands[stream] = (meta["commandId"], index)

    def check_type(self, event):
        versions = next((known for prefix, known in VERSIONS.items() if event["stream"].startswith(prefix)), {})
        require(1 <= event["version"] <= versions.get(event["type"], 0), "its type or version is unknown")
        if event["type"] == "PlatformFounded":
            require(self.platform is None, "the platform is founded a second time")
            self.platform = event["data"]["platformId"]

    def check_money(self, event):
        data, stream = event["data"], event["stream"]
        own = f"customer/{stream[len('account-'):]}" if stream.startswith("account-") else "nobody"
        change = {}
        for posting in data.get("postings", []):
            account, currency = posting["account"], posting["currency"]
            require(account in OPERATOR or account in (f"{own}/available", f"{own}/held"), f"it may not book to {account}")
            change[account, currency] = change.get((account, currency), 0) + minor_units(posting["amount"], currency)
        for currency in SCALES:
            require(sum(amount for (_, unit), amount in change.items() if unit == currency) == 0, f"its postings in {currency} do not add up to zero")
        for (account, currency), amount in change.items():
            self.sums[account, currency] = self.sums.get((account, currency), 0) + amount
            if account.startswith("customer/"):
                require(self.sums[account, currency] >= 0, f"{account} goes below zero in {currency}")
        self.open_and_close(self.holds, change, f"{own}/held", (stream, data.get("requestId")))
        if not self.is_case:
            self.open_and_close(self.transit, change, "transit", data.get("transferId") or data.get("requestId"))

    def open_and_close(self, pending, change, account, key):
        """What is set aside for a request, or on its way between two customers, goes in once and comes out whole."""
        moved = {unit: amount for (name, unit), amount in change.items() if name == account and amount != 0}
        if moved and key in pending:
            require(pending.pop(key) == {unit: -amount for unit, amount in moved.items()}, f"{account} is taken from by half")
        elif moved:
            require(all(amount > 0 for amount in moved.values()), f"it takes from {account} what was never put there")
            pending[key] = moved


def main(arguments):
    is_case, arguments = arguments[:1] == ["--case"], [one for one in arguments if one != "--case"]
    if not arguments or not all(map(HEADS.fullmatch, arguments[1:])):
        print(__doc__, file=sys.stderr)
        return 2
    log, number = Log(arguments[1:], is_case), 0
    try:
        for number, line in enumerate(open(arguments[0], encoding="utf-8", newline="\n"), 1):
            require(line.endswith("\n"), "the last line has no end")
            (log.begin if is_case and number == 1 else log.add)(line[:-1])
        is_whole = not is_case or log.end.get("streams") == {name: head[0] for name, head in log.heads.items()} and log.position <= int(log.end["position"])
        require(is_whole, "it does not end where its first line says")
        for events, _ in log.kept:
            require(events <= log.events, f"it ends before the {events} events that it once had")
    except Fault as fault:
        print(f"WRONG: line {number}: {fault}")
        return 1
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        print(f"WRONG: line {number}: it is no event ({error!r})")
        return 1
    print(f"{log.events} events in {len(log.heads)} streams, history {log.history.hexdigest()}.")
    print(heads_line(log.platform, log.position, log.events, log.heads), "Nothing is wrong.", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
