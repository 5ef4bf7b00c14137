"""Recomputes figures of the product from raw rows, by the definitions of docs/measurement.md, sections 4 and 6.

Reads {"analyses": [raw rows], "cases": [{analysis, endpoint, params, body}]} from standard input and writes every number of an
answer that differs, and how many were compared, as JSON. Standard library only, and none of the product's code.
"""

import json
import math
import re
import sys
import unicodedata
from collections import defaultdict
from functools import lru_cache

RESULT_PAGES = {"SEARCH_A", "SEARCH_B"}


def folded(text):
    """Without case and accents."""
    plain = unicodedata.normalize("NFKD", text).replace("Ø", "O").replace("ø", "o").lower()
    return "".join(one for one in plain if not unicodedata.combining(one))


def weight(rank):
    return 1 / math.log2(1 + rank)


# Student's t of whole degrees of freedom: finite sums of sines and cosines (Abramowitz and Stegun, 26.7.3 and 26.7.4).


def two_sided(t, freedom):
    angle = math.atan2(abs(t), math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    term, total = (cosine, cosine) if freedom % 2 else (1.0, 1.0)
    if freedom == 1:
        total = 0.0
    for step in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    inside = 2 / math.pi * (angle + sine * total) if freedom % 2 else sine * total
    return max(0.0, 1 - inside)


@lru_cache(maxsize=None)
def quantile_975(freedom):
    low, high = 0.0, 2.0
    while two_sided(high, freedom) > 0.05:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided(middle, freedom) > 0.05 else (low, middle)
    return high


class Analysis:
    """The raw rows of one analysis."""

    def __init__(self, raw):
        self.raw = raw
        self.own = raw["own"]
        self.brands = [brand for brand in raw["brands"] if not brand["archived"]]
        self.number = {brand["id"]: brand["number"] for brand in raw["brands"]}
        self.families = {brand["number"] for brand in self.brands if brand["parent_id"] is None}
        self.questions = {question["id"]: question for question in raw["questions"]}
        # A prompt of a brand analysis is a question in each country and as each persona; a keyword is a prompt.
        prompts, cells = {}, {}
        for question in sorted(raw["questions"], key=lambda one: one["position"]):
            asks = [question[one] for one in ("kind", "brand_id", "look_alike", "text")] if question["kind"] else question["position"]
            prompt = prompts.setdefault(json.dumps(asks), question["position"])
            cell = json.dumps([prompt, question["country"], question["persona_id"]]) if question["kind"] else prompt
            question["prompt"], question["cell"] = prompt, cells.setdefault(cell, question["position"])
        parents = {brand["number"]: self.number.get(brand["parent_id"]) for brand in raw["brands"]}
        places, citations = defaultdict(dict), defaultdict(list)
        for key, brand, rank, brand_rank, mentions, url in raw["places"]:
            places[key][brand] = (rank, mentions, url)
        for key, position, is_cited, url, domain, kind, brand in raw["citations"]:
            citations[key].append((position, is_cited, url, domain, kind, brand))
        self.answers = defaultdict(list)
        for answer in raw["answers"]:
            answer["places"] = places[answer["key"]]
            answer["citations"] = sorted(citations[answer["key"]])
            owners = {one[5] for one in answer["citations"] if one[1] and one[5] is not None}
            answer["cited"] = owners | {parents[one] for one in owners if parents[one] is not None}
            answer["simulated"] = answer["method"] == "simulated"
            question = self.questions[answer["question_id"]]
            answer["keyword"], answer["prompt"], answer["cell"] = (question[one] for one in ("position", "prompt", "cell"))
            self.answers[answer["collect_id"]].append(answer)
        for answers in self.answers.values():
            answers.sort(key=lambda one: (one["keyword"], one["source"], one["run"]))
        self.collects = sorted(raw["collects"], key=lambda one: one["number"])
        own = [b for b in raw["brands"] if b["id"] == self.own or b["parent_id"] == self.own]
        names = [name for brand in own for name in [brand["name"], *brand["aliases"]]]
        naming = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names), re.IGNORECASE)
        for question in raw["questions"]:
            question["names_own"] = question["type"] == "Generic" and bool(naming.search(question["text"]))

    def is_simulated(self, collect):
        return all(answer["simulated"] for answer in self.answers[collect["id"]])

    def is_before(self, one, other):
        if (one["is_imported"], self.is_simulated(one)) != (other["is_imported"], self.is_simulated(other)):
            return False
        if one["to"] is None or other["from"] is None:
            return False
        return one["to"] < other["from"] or (one["to"] == other["from"] and one["number"] < other["number"])

    def previous(self, collect):
        before = [one for one in self.collects if self.is_before(one, collect)]
        return max(before, key=lambda one: (one["to"], one["number"]), default=None)

    def series_to(self, collect):
        series = [collect]
        while previous := self.previous(series[0]):
            series.insert(0, previous)
        return series

    def chosen(self, params):
        """Collects that are measured, those before, and whether the latter were named."""
        by_id = {collect["id"]: collect for collect in self.collects}
        ids = params.get("collect_ids", []) or [one for one in [params.get("collect_id")] if one]
        current = [one for one in self.collects if one["id"] in ids]
        if not current:
            fitting = [
                one
                for one in self.collects
                if "kind" not in params or any(answer["simulated"] for answer in self.answers[one["id"]])
            ]
            here = [one for one in fitting if not one["is_imported"]]
            latest = here[-1:] or sorted(fitting, key=lambda one: (one["to"] or "", one["number"]))[-1:]
            current = latest
        named = [by_id[one] for one in params.get("prev_collect_ids", [])]
        if named:
            return current, sorted(named, key=lambda one: one["number"]), True
        earliest = min(current, key=lambda one: (one["to"] or "", one["number"]), default=None)
        previous = self.previous(earliest) if earliest else None
        return current, [previous] if previous else [], False

    def keywords(self, params, types, is_headline):
        """Questions that a request narrows to, in the order of the setup."""
        filters = {
            "topic_id": params.get("topics") or params.get("topic_ids"),
            "thematic_id": params.get("thematics"),
            "persona_id": params.get("personas") or params.get("persona_ids"),
            "funnel_stage": params.get("funnel_stages"),
        }
        return [
            question
            for question in sorted(self.raw["questions"], key=lambda one: one["position"])
            if question["type"] in types
            and not (is_headline and question["names_own"])
            and (not params.get("countries") or (question["country"] or self.raw["country"]) in params["countries"])
            and all(not wanted or question[field] in wanted for field, wanted in filters.items())
        ]

    def select(self, collects, keywords, sources, simulated=None, presence=None):
        """Answers that are counted together, how many are not, and whether they are simulated."""
        positions = {question["position"] for question in keywords}
        among = [
            answer
            for collect in collects
            for answer in self.answers[collect["id"]]
            if answer["keyword"] in positions and (not sources or answer["source"] in sources)
        ]
        shown = [answer for answer in among if answer["shown"]]
        if simulated is None:
            simulated = not any(not answer["simulated"] for answer in shown)

        def together(is_simulated):
            alike = [answer for answer in shown if answer["simulated"] == is_simulated]
            if sources:
                return alike
            by_name = [answer for answer in alike if answer["source"] not in RESULT_PAGES]
            wants_names = presence == "name" if presence else bool(by_name)
            return [answer for answer in alike if (answer["source"] not in RESULT_PAGES) == wants_names]

        return together(simulated), len(together(not simulated)), simulated


class Sums:
    """Sums by prompt of some answers, and the figures that are made of them."""

    def __init__(self, analysis, answers):
        self.analysis = analysis
        self.total = len(answers)
        self.n = defaultdict(int)
        self.voice = defaultdict(float)
        self.by_brand = defaultdict(lambda: defaultdict(lambda: defaultdict(float)))
        self.mentions, self.cited = defaultdict(int), defaultdict(lambda: defaultdict(int))
        self.sources = len({answer["source"] for answer in answers})
        for answer in answers:
            prompt = answer["prompt"]
            self.n[prompt] += 1
            for brand, (rank, mentions, _) in answer["places"].items():
                own = self.by_brand[brand][prompt]
                own["x"] += 1
                own["t"] += rank <= 3
                own["w"] += weight(rank)
                own["r"] += rank
                self.mentions[brand] += mentions
                if brand in analysis.families:
                    self.voice[prompt] += weight(rank)
            for brand in answer["cited"]:
                self.cited[brand][prompt] += 1
        self.prompts = len(self.n)

    def sum(self, brand, field):
        return sum(one[field] for one in self.by_brand[brand].values()) if brand in self.by_brand else 0

    def rate(self, value, of=None):
        of = self.total if of is None else of
        return None if of == 0 else value / of

    def figures(self, brand):
        occurrences = self.sum(brand, "x")
        voice = sum(self.voice.values())
        share = None if len(self.analysis.families) < 2 or voice == 0 else self.sum(brand, "w") / voice
        visibility = self.rate(self.sum(brand, "w"))
        return {
            "occurrences": occurrences,
            "presence_rate": self.rate(occurrences),
            "average_rank": self.rate(self.sum(brand, "r"), occurrences),
            "top_3_rate": self.rate(self.sum(brand, "t")),
            "visibility_score": None if visibility is None else 100 * visibility,
            "share_of_voice": share,
            "nb_keywords": len(self.by_brand[brand]) if brand in self.by_brand else 0,
            "total_mentions": self.mentions[brand],
            "citations": sum(self.cited[brand].values()),
            "citation_rate": self.rate(sum(self.cited[brand].values())),
        }

    def clusters(self, brand, figure):
        if figure == "citations":
            return [(self.cited[brand].get(prompt, 0), n) for prompt, n in self.n.items()]
        field = {"presence": "x", "top_3": "t", "visibility": "w", "share_of_voice": "w"}[figure]
        own = self.by_brand[brand] if brand in self.by_brand else {}
        n = self.voice if figure == "share_of_voice" else self.n
        return [(own[prompt][field] if prompt in own else 0, n.get(prompt, 0)) for prompt in self.n]

    def uncertainty(self, brand, figure):
        runs = max(1, self.total / self.prompts / self.sources) if self.prompts else 1
        clusters = self.clusters(brand, figure)
        n = sum(n for _, n in clusters)
        # Where no brand has weight there is no share, and so no interval of one.
        interval = rate_interval(clusters, runs, max(1, self.sources)) if n else None
        rate = sum(x for x, _ in clusters) / n if n else 0
        scale = 100 if figure == "visibility" else 1
        low, high = (None, None) if interval is None else (interval[0] * scale, interval[1] * scale)
        return {"ci_low": low, "ci_high": high, "grade": grade(rate, interval, len(clusters))}

    def rank_uncertainty(self, brand):
        clusters = [(one["r"], one["x"]) for one in (self.by_brand[brand] if brand in self.by_brand else {}).values()]
        if len(clusters) < 5:
            return {"rank_ci_low": None, "rank_ci_high": None}
        n = sum(n for _, n in clusters)
        rank = sum(x for x, _ in clusters) / n
        half = quantile_975(len(clusters) - 1) * math.sqrt(variance(clusters))
        return {"rank_ci_low": max(1, rank - half), "rank_ci_high": rank + half}


def variance(clusters):
    prompts, n = len(clusters), sum(n for _, n in clusters)
    ratio = sum(x for x, _ in clusters) / n
    return prompts / (prompts - 1) * math.fsum((x - ratio * m) ** 2 for x, m in clusters) / n**2


def rate_interval(clusters, runs, sources):
    prompts = len(clusters)
    if prompts < 5:
        return None
    n, x = sum(n for _, n in clusters), math.fsum(x for x, _ in clusters)
    have = sum(x > 0 for x, _ in clusters)
    lack = sum(x < m - 1e-9 or m == 0 for x, m in clusters)
    reach = 1 - 0.05 ** (1 / prompts)
    if have == 0:
        return 0, reach
    if lack == 0:
        return 1 - reach, 1
    rate, spread = x / n, variance(clusters)
    most = n / (1 + 0.25 * (runs - 1) + 0.12 * runs * (sources - 1)) if min(have, lack) < 10 else n
    effective = most if spread < 1e-18 else min(most, rate * (1 - rate) / spread)
    t = quantile_975(prompts - 1)
    scale = 1 + t * t / effective
    centre = (rate + t * t / (2 * effective)) / scale
    half = t / scale * math.sqrt(rate * (1 - rate) / effective + t * t / (4 * effective**2))
    return max(0, centre - half), min(1, centre + half)


def grade(rate, interval, prompts):
    if interval is None:
        return "exploratory"
    half = (interval[1] - interval[0]) / 2
    if prompts >= 20 and half <= min(0.05, rate / 2):
        return "decision"
    return "directional" if prompts >= 12 and half <= min(0.1, rate) else "exploratory"


VALUES = {"presence": lambda rank: 1, "top_3": lambda rank: int(rank <= 3), "visibility": weight, "share_of_voice": weight}


def values_of(answer, figure):
    """What an answer counts for, by brand."""
    if figure == "citations":
        return {brand: 1 for brand in answer["cited"]}
    return {brand: VALUES[figure](rank) for brand, (rank, _, _) in answer["places"].items()}


class Comparison:
    """A collect beside earlier ones, over the cells that all of them completed in the same way."""

    def __init__(self, sides, figure, families):
        self.k, self.is_voice = len(sides) - 1, figure == "share_of_voice"
        cells = [self.cells(answers) for answers in sides]
        asked = sorted(set().union(*cells))
        self.before = sum(any(cell in side for side in cells[:-1]) for cell in asked)
        self.after = sum(cell in cells[-1] for cell in asked)
        self.left_out = {"one_side_only": 0, "other_method": 0, "other_model": 0}
        self.common, self.n, values = 0, defaultdict(int), defaultdict(dict)
        for cell in asked:
            parts = [side.get(cell, []) for side in cells]
            if not all(parts):
                self.left_out["one_side_only"] += 1
                continue
            ways = [{(answer["method"], answer["model"]) for answer in part} for part in parts]
            # A cell that was answered in several ways counts as one of another method.
            if any(len(way) > 1 for way in ways) or len({next(iter(way))[0] for way in ways}) > 1:
                self.left_out["other_method"] += 1
                continue
            if len({next(iter(way)) for way in ways}) > 1:
                self.left_out["other_model"] += 1
                continue
            self.common += 1
            n = min(len(part) for part in parts)
            self.n[cell[0]] += n
            for side, part in enumerate(parts):
                for answer in part[:n]:
                    for brand, value in values_of(answer, figure).items():
                        sums = values[brand].setdefault(cell[0], [0.0] * len(sides))
                        sums[side] += value
        self.values = values
        self.prompts = sorted(self.n)
        self.total = sum(self.n.values())
        # By prompt the weights of all brands in each collect.
        roots = [values[brand] for brand in values if brand in families]
        none = [0.0] * len(sides)
        self.voice = [[sum(own.get(prompt, none)[side] for own in roots) for side in range(len(sides))] for prompt in self.prompts]

    @staticmethod
    def cells(answers):
        cells = defaultdict(list)
        for answer in answers:
            cells[answer["prompt"], answer["cell"], answer["source"]].append(answer)
        return cells

    def of(self, brand):
        own = self.values.get(brand, {})
        return [own.get(prompt, [0.0] * (self.k + 1)) for prompt in self.prompts]

    def sides(self, brand):
        """The figure before and after; None where it is a share of nothing."""
        rows = self.of(brand)
        before, after = sum(sum(row[:-1]) for row in rows), sum(row[-1] for row in rows)
        if self.is_voice:
            n = sum(sum(row[:-1]) for row in self.voice), sum(row[-1] for row in self.voice)
        else:
            n = self.k * self.total, self.total
        return before / n[0] if n[0] else None, after / n[1] if n[1] else None

    def share_difference(self, brand):
        """Of a ratio of sums: each prompt's linearised ratio z, by collect."""
        rows, voice = self.of(brand), self.voice
        then, now = self.sides(brand)
        if then is None or now is None:
            return 0, 0, 0, False
        n = [sum(map(sum, (row[:-1] for row in voice))) / self.k, sum(row[-1] for row in voice)]
        z = [
            [(x - ratio * m) / of for x, m, ratio, of in zip(row, all_of, [then] * self.k + [now], [n[0]] * self.k + [n[1]])]
            for row, all_of in zip(rows, voice)
        ]
        before, after = [sum(m[:-1]) for m in voice], [m[-1] for m in voice]
        count = math.floor(min(sum(side) ** 2 / sum(m * m for m in side) for side in (before, after)) + 1e-9)
        differing = sum(abs(sum(row[:-1]) * m[-1] - row[-1] * sum(m[:-1])) > 1e-9 for row, m in zip(rows, voice))
        judged = count >= 5 and differing >= 6
        left = count / (count - 1) if count > 1 else 0
        if self.k == 1:
            squares = math.fsum((b - a) ** 2 for a, b in z)
            # Differences that are all alike are not certain.
            if squares <= 1e-9 * (sum(row[0] ** 2 for row in rows) / n[0] ** 2 + sum(row[1] ** 2 for row in rows) / n[1] ** 2):
                squares = 1 / (n[0] * n[1])
            return now - then, left * squares, count - 1, judged
        squares = math.fsum(sum((one - sum(row) / len(row)) ** 2 for one in row) / self.k for row in z)
        varying = sum(any(abs(row[c] * m[-1] - row[-1] * m[c]) > 1e-9 for c in range(self.k)) or abs(sum(row[:-1]) * m[-1] - row[-1] * sum(m[:-1])) > 1e-9 for row, m in zip(rows, voice))
        return now - then, left * (1 + 1 / self.k) * squares, self.k * varying, judged

    def difference(self, brand):
        """delta, V, degrees of freedom and whether it is judged."""
        if self.is_voice:
            return self.share_difference(brand)
        rows, n = self.of(brand), self.total
        ns = [self.n[prompt] for prompt in self.prompts]
        if n == 0:
            return 0, 0, 0, False
        ds = [row[-1] - sum(row[:-1]) / self.k for row in rows]
        delta = math.fsum(ds) / n
        differing = sum(abs(d) > 1e-9 for d in ds)
        if self.k == 1:
            effective = math.floor(n * n / sum(m * m for m in ns) + 1e-9)
            squares = math.fsum((d - delta * m) ** 2 for d, m in zip(ds, ns))
            if squares <= 1e-9 * math.fsum(d * d for d in ds):
                squares = 1
            judged = effective >= 5 and differing >= 6
            spread = effective / (effective - 1) * squares / n**2 if effective > 1 else 0
            return delta, spread, effective - 1, judged
        squares = [sum((x - sum(row) / len(row)) ** 2 for x in row) / self.k for row in rows]
        varying = sum(one > 1e-9 for one in squares)
        spread = (1 + 1 / self.k) * math.fsum(squares) / n**2
        return delta, spread, self.k * varying, len(self.prompts) >= 5 and differing >= 6

    def obstacle(self):
        if 2 * self.common >= max(self.before, self.after):
            return None
        method, model = self.left_out["other_method"], self.left_out["other_model"]
        missing = max(self.before, self.after) - self.common - method - model
        if max(method, model) <= missing:
            return "basket_changed"
        return "method_changed" if method >= model else "model_changed"

    def field_moves(self, rivals):
        """The permutation test with the seed and generator that the product documents, so its draws are the same."""
        rows = []
        for brand in rivals:
            ds = [row[-1] - sum(row[:-1]) / self.k for row in self.of(brand)]
            if sum(abs(d) > 1e-9 for d in ds) >= 4:
                rows.append(ds)
        if len(rows) < 2:
            return False
        means = [sum(column) / len(rows) for column in zip(*rows)]
        rows = [[d - mean for d, mean in zip(row, means)] for row in rows]
        rows = [(row, sum(d * d for d in row)) for row in rows]
        rows = [(row, scale) for row, scale in rows if scale > 1e-12]

        def statistic(signs):
            return sum(sum(sign * d for sign, d in zip(signs, row)) ** 2 / scale for row, scale in rows)

        observed, coins, reached = statistic([1] * len(means)), fair_coins(20_261_123), 1
        for _ in range(499):
            signs = [1 if next(coins) else -1 for _ in means]
            reached += statistic(signs) >= observed * (1 - 1e-9)
            if reached > 25:
                return False
        return True


def fair_coins(state):
    """The bits of mulberry32, lowest first."""
    while True:
        state = (state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
        mixed ^= (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) & 0xFFFFFFFF
        bits = mixed ^ mixed >> 14
        for _ in range(32):
            yield bits & 1
            bits >>= 1


def judged_change(difference, history):
    delta, spread, freedom, judged = difference
    if not judged:
        return {"delta": delta, "ci_low": None, "ci_high": None, "p": None}
    added = 0
    if len(history) >= 6:
        added = max(0, sum(d * d - v for d, v in history) / len(history))
    if added > 0:
        freedom = min(freedom, len(history) - 1)
    error = math.sqrt(spread + added)
    half = quantile_975(freedom) * error
    ends = {"ci_low": max(-1, delta - half), "ci_high": min(1, delta + half)}
    return {"delta": delta, **ends, "p": two_sided(delta / error, freedom)}


class Changes:
    """Changes in one part of the answers: of some sources, to some keywords."""

    def __init__(self, analysis, series, answers_of, figure, reference):
        self.analysis, self.series, self.figure, self.reference = analysis, series, figure, reference
        self.answers_of = lru_cache(maxsize=None)(answers_of)
        self.compare = lru_cache(maxsize=None)(self._compare)
        self.field = lru_cache(maxsize=None)(self._field)
        self.by_id = {collect["id"]: collect for collect in analysis.collects}

    def _compare(self, reference, last):
        return Comparison([self.answers_of(one) for one in (*reference, last)], self.figure, self.analysis.families)

    def _field(self, reference, last):
        own = self.analysis.number[self.analysis.own]
        return self.compare(reference, last).field_moves(sorted(self.analysis.families - {own}))

    def obstacle(self, reference, last):
        versions = {self.by_id[one]["version"] for one in (*reference, last)}
        if len(versions) > 1 or None in versions:
            return "catalog_changed"
        return self.compare(reference, last).obstacle()

    def at(self, collect, brand):
        """A change that is not yet judged beside others; None where there is nothing to compare with."""
        ids = [one["id"] for one in self.series]
        if collect["id"] not in ids:
            return None
        position = ids.index(collect["id"])
        last, history, neighbour, is_scheduled = ids[position], [], None, False
        is_chosen = self.reference is not None
        if is_chosen:
            reference = tuple(one["id"] for one in self.reference)
        elif position == 0:
            return None
        else:
            reference = (ids[position - 1],)
            is_scheduled = self.analysis.raw["scheduled"] and self.obstacle(reference, last) is None
            if is_scheduled:
                reference, history, neighbour = self.scheduled(ids, position, brand)
        comparison = self.compare(reference, last)
        change = judged_change(comparison.difference(brand), history)
        before, after = comparison.sides(brand)
        return {
            **change,
            "before": before,
            "after": after,
            "cells": comparison.common,
            "left_out": comparison.left_out,
            "compared_with": [self.by_id[one]["number"] for one in reference],
            # In a schedule each earlier collect was found comparable by itself.
            "obstacle": None if is_scheduled else self.obstacle(reference, last),
            "neighbour": neighbour,
            "with_field": (change["p"] if change["p"] is not None else 1) <= 0.05 and self.field(reference, last),
            "is_chosen": is_chosen,
        }

    def scheduled(self, ids, position, brand):
        """Against the mean of up to four before it, or, where the one before gave a first sign, of those before that."""
        first = position
        while first > max(0, position - 17) and self.obstacle((ids[first - 1],), ids[position]) is None:
            first -= 1
        run = ids[first : position + 1]
        at = len(run) - 1

        def four_before(one):
            return tuple(run[max(0, one - 4) : one])

        def alone(one):
            return self.compare(four_before(one), run[one]).difference(brand)

        def history(one):
            earlier = [alone(before) for before in range(one - 1, max(1, one - 12) - 1, -1)]
            return [(delta, spread) for delta, spread, _, judged in earlier if judged]

        if at > 1:
            sign = judged_change(alone(at - 1), history(at - 1))
            if sign["p"] is not None and sign["p"] <= 0.05:
                return four_before(at - 1), history(at - 1), sign
        return four_before(at), history(at), None


def judge(changes, alone):
    """Adjusts p over those that are judged together, and gives verdicts."""
    family = [i for i, one in enumerate(changes) if one and not alone[i] and not one["obstacle"] and one["p"] is not None]
    family.sort(key=lambda i: changes[i]["p"], reverse=True)
    least = 1.0
    adjusted = {}
    for above, i in enumerate(family):
        least = min(least, changes[i]["p"] * len(family) / (len(family) - above))
        adjusted[i] = least
    return [one and {**one, "p": (p := adjusted.get(i, one["p"])), "verdict": verdict(one, p)} for i, one in enumerate(changes)]


def verdict(change, p):
    if change["obstacle"]:
        return change["obstacle"]
    if p is None:
        return "insufficient_data"
    if p > 0.05:
        return "within_noise"
    # Who chooses what to compare with finds some pair that differs.
    if change["is_chosen"]:
        return "first_sign"
    if change["with_field"]:
        return "moved_with_field"
    beside = change["neighbour"]
    repeats = beside and beside["p"] is not None and beside["p"] <= 0.05 and beside["delta"] * change["delta"] > 0
    return "moved" if p <= 0.001 or repeats else "first_sign"


def as_shown(change, scale=1):
    if change is None:
        return None
    # What cannot be judged has no figures.
    is_judged = not change["verdict"].endswith("_changed") and change["verdict"] != "insufficient_data"
    figures = {key: change[key] * scale if is_judged else None for key in ("before", "after", "delta", "ci_low", "ci_high")}
    return {**figures, "p": change["p"] if is_judged else None, **{key: change[key] for key in ("verdict", "cells", "left_out", "compared_with")}}


def top_brands(analysis, params):
    types = params.get("keyword_type")
    keywords = analysis.keywords(params, types or ["Generic"], not types)
    current, previous, is_named = analysis.chosen(params)
    sources, wanted = params.get("sources"), True if "kind" in params else None
    answers, left_out, simulated = analysis.select(current, keywords, sources, wanted)
    presence = None
    if answers:
        presence = "domain" if answers[0]["source"] in RESULT_PAGES and not any(a["source"] not in RESULT_PAGES for a in answers) else "name"
    now = Sums(analysis, answers)
    before = Sums(analysis, analysis.select(previous, keywords, sources, simulated, presence)[0]) if previous else None
    if now.total + (before.total if before else 0) == 0:
        return {"total_count": 0, "rows": {}, "answers": now.total, "left_out": left_out}
    compared = {analysis.own, *analysis.raw["compared"]}
    query = folded(params.get("search_query") or "")

    def has_row(brand):
        occurs = now.sum(brand["number"], "x") or (before and before.sum(brand["number"], "x"))
        return brand["id"] in compared or (brand["parent_id"] is None and occurs)

    def is_shown(brand):
        return brand["id"] in params["brands"] if params.get("brands") else has_row(brand)

    shown = [brand for brand in analysis.brands if is_shown(brand) and query in folded(brand["name"])]
    rows = {}
    for brand in shown:
        figures = now.figures(brand["number"])
        row = {"total": now.total, **{key: figures[key] for key in ("nb_keywords", "total_mentions", "visibility_score", "average_rank", "presence_rate", "occurrences")}}
        if before:
            then = before.figures(brand["number"])
            row |= {f"{key}_prev_collect": then[key] for key in ("nb_keywords", "total_mentions", "average_rank", "presence_rate", "occurrences")}
            row["total_prev_collect"] = before.total
        if params.get("statistics"):
            row |= {"n": now.total, "prompts": now.prompts, **now.uncertainty(brand["number"], "presence")}
        rows[brand["name"]] = row
    if params.get("statistics"):
        # Naming brands, or searching for them, changes no verdict.
        judged = [brand for brand in analysis.brands if has_row(brand) or brand in shown]
        changes = [None] * len(judged)
        if len(current) == 1:
            def answers_of(collect_id):
                one = [collect for collect in analysis.collects if collect["id"] == collect_id]
                return analysis.select(one, keywords, sources, simulated, presence)[0]

            opened = Changes(analysis, analysis.series_to(current[0]), answers_of, "presence", previous if is_named else None)
            changes = [opened.at(current[0], brand["number"]) for brand in judged]
        for brand, change in zip(judged, judge(changes, [brand["id"] == analysis.own for brand in judged])):
            if brand["name"] in rows:
                rows[brand["name"]]["change"] = as_shown(change)
    # Fields that are numbers are left out where nothing can be computed.
    kept = {name: {key: value for key, value in row.items() if value is not None or key in ("ci_low", "ci_high", "change")} for name, row in rows.items()}
    return {"total_count": len(rows), "rows": kept, "answers": now.total, "left_out": left_out}


PREFIXES = {
    "SEARCH_A": "search_a_seo", "SEARCH_A_AIO": "search_a_aio", "SEARCH_B": "search_b_seo", "SEARCH_B_AIO": "search_b_aio",
    "SEARCH_B_AI_MODE": "search_b_ai_mode", "ASSISTANT_A": "assistant_a", "ASSISTANT_B": "assistant_b",
    "ASSISTANT_C": "assistant_c", "ASSISTANT_D": "assistant_d",
}  # fmt: skip
UNFLAGGED = {"search_b_ai_mode", "assistant_c"}


def keywords_metrics(analysis, params):
    keywords = analysis.keywords(params, params.get("keyword_type") or ["Generic", "Brand"], False)
    current, previous, _ = analysis.chosen(params)
    sources = params.get("sources") or None
    everything = sources or sorted({answer["source"] for answers in analysis.answers.values() for answer in answers})
    wanted = True if "kind" in params else None
    all_keywords = list(analysis.raw["questions"])
    _, _, simulated = analysis.select(current, all_keywords, everything, wanted)
    answers, _, _ = analysis.select(current, all_keywords, everything, simulated)
    before, _, _ = analysis.select(previous, all_keywords, everything, simulated)
    summed = {answer["source"] for answer in analysis.select(current, all_keywords, sources, simulated)[0]}
    own = analysis.number[analysis.own]
    kinds = set(params.get("competitor_types") or [])
    rows = {}
    for question in keywords:
        mine = [answer for answer in answers if answer["keyword"] == question["position"]]
        then = [answer for answer in before if answer["keyword"] == question["position"]]
        if kinds and not any(one[1] and one[4] in kinds for answer in mine for one in answer["citations"]):
            continue
        row = {"keyword_text": question["text"], "type": question["type"]}
        counted = [answer for answer in mine if answer["source"] in summed]
        if counted:
            row["score"] = 100 * sum(weight(a["places"][own][0]) for a in counted if own in a["places"]) / len(counted)
        for source, prefix in PREFIXES.items():
            of_source = [answer for answer in mine if answer["source"] == source]
            having = [answer["places"][own] for answer in of_source if own in answer["places"]]
            had = [answer["places"][own][0] for answer in then if answer["source"] == source and own in answer["places"]]
            if having:
                row[f"{prefix}_rank"] = sum(rank for rank, _, _ in having) / len(having)
            if had:
                row[f"{prefix}_previous_rank"] = sum(had) / len(had)
            urls = [url for _, _, url in having if url is not None]
            if urls:
                row[f"{prefix}_url"] = max(dict.fromkeys(urls), key=urls.count)
            if of_source and prefix not in UNFLAGGED:
                row[f"{prefix}_main_brand_ranked"] = bool(having)
        row["has_search_a_aio"] = any(answer["source"] == "SEARCH_A_AIO" for answer in mine)
        row["has_search_b_aio"] = any(answer["source"] == "SEARCH_B_AIO" for answer in mine)
        rows[question["id"]] = row
    return {"total_count": len(rows), "rows": rows}


COLUMNS = {"presence": "presence_rate", "top_3": "top_3_rate", "visibility": "visibility_score", "share_of_voice": "share_of_voice", "citations": "citation_rate"}
DIMENSIONS = ["source", "channel", "collect", "topic", "thematic", "keyword", "persona", "country", "funnel_stage"]


def groups_of(analysis, dimensions, keywords, answered, collects):
    """Each group as (names, sources or None, keywords, collects)."""
    labels, names = analysis.raw["labels"], analysis.raw["source_names"]
    groups = [({}, None, keywords, collects)]
    for dimension in [one for one in DIMENSIONS if one in dimensions]:
        parts = []
        for named, sources, among, of in groups:
            inside = sources or answered
            if dimension == "source":
                parts += [({**named, "source": names[one]}, [one], among, of) for one in inside]
            elif dimension == "channel":
                channels = analysis.raw["channels"]
                for channel in dict.fromkeys(channels[one] for one in inside):
                    own = [one for one in inside if channels[one] == channel]
                    parts.append(({**named, "channel": channel}, own, among, of))
            elif dimension == "collect":
                parts += [({**named, "collect": one["number"]}, sources, among, [one]) for one in of]
            else:
                found = defaultdict(list)
                for question in among:
                    label = {
                        "keyword": question["text"],
                        "country": question["country"] or analysis.raw["country"],
                        "funnel_stage": question["funnel_stage"],
                    }.get(dimension) or labels.get(question.get(f"{dimension}_id"))
                    if label is not None:
                        found[label].append(question)
                parts += [({**named, dimension: label}, sources, own, of) for label, own in found.items()]
        groups = parts
    return groups


def visibility(analysis, params):
    types = params.get("keyword_types")
    keywords = analysis.keywords(params, types or ["Generic"], not types)
    dimensions = params.get("group_by", ["brand"])
    figure, statistics = params.get("figure", "presence"), params.get("statistics")
    current, previous, is_named = analysis.chosen(params)
    last = current[-1] if current else None
    series = analysis.series_to(last) if last else []
    if "collect" in dimensions and not params.get("collect_ids"):
        current = series
    sources = params.get("sources")
    answers, left_out, simulated = analysis.select(current, keywords, sources, True if "kind" in params else None)
    presence = "name" if any(answer["source"] not in RESULT_PAGES for answer in answers) else "domain"
    # Parts by source and channel are of all that was asked, whichever of it the keywords of the selection have.
    asked = analysis.select(current, analysis.raw["questions"], sources, simulated, presence)[0]
    answered = sorted({answer["source"] for answer in asked}, key=list(analysis.raw["source_names"]).index)
    compared = {analysis.own, *analysis.raw["compared"]}
    if params.get("brands"):
        shown = [brand for brand in analysis.brands if brand["id"] in params["brands"]]
    elif "brand" in dimensions:
        shown = [brand for brand in analysis.brands if brand["parent_id"] is None]
    else:
        shown = [brand for brand in analysis.brands if brand["id"] == analysis.own]


    roots = [brand for brand in analysis.brands if brand["parent_id"] is None]
    judged = [brand for brand in analysis.brands if brand in roots or brand in shown] if "brand" in dimensions else shown

    def answers_in(group, collects):
        _, of, among, _ = group
        return analysis.select(collects, among, of or sources, simulated, presence)[0]

    candidates = []
    for group in groups_of(analysis, dimensions, keywords, answered, current):
        sums = Sums(analysis, answers_in(group, group[3]))
        if sums.total == 0:
            continue
        # Those with answers in the collects of the row, also where some of them have none to its keywords.
        everything = answers_in((*group[:2], analysis.raw["questions"], group[3]), group[3])
        sums.sources = len({answer["source"] for answer in everything})
        if "collect" in group[0]:
            ids = [one["id"] for one in series]
            at = ids.index(group[3][0]["id"]) if group[3][0]["id"] in ids else 0
            before = series[at - 1 : at] if at > 0 else []
        else:
            before = previous
        then = Sums(analysis, answers_in(group, before))
        for brand in judged:
            number = brand["number"]
            named = brand["id"] in (params.get("brands") or [])
            if not (named or brand["id"] in compared or number in sums.by_brand or sums.cited[number]):
                continue
            figures = sums.figures(number)
            kept = ("occurrences", "presence_rate", "average_rank", "top_3_rate", "visibility_score", "share_of_voice", "citations", "citation_rate")
            row = {"answers": sums.total, "prompts": sums.prompts, **{key: figures[key] for key in kept}}
            # Rows with a change take the earlier value from it.
            earlier, has_change = then.figures(number), statistics and "keyword" not in dimensions
            row["previous"] = None if has_change else earlier[COLUMNS[figure]]
            if "keyword" in dimensions and before:
                row |= {"previous_answers": then.total, "previous_occurrences": earlier["occurrences"]}
            if statistics:
                row |= {**sums.uncertainty(number, figure), **sums.rank_uncertainty(number)}
            if params.get("versus"):
                row["gap"] = gap_of(sums, number, analysis.number[params["versus"]], figure) if row[COLUMNS[figure]] is not None else None
            candidates.append((group, brand, row))
    if params.get("versus"):
        judge_gaps(candidates, alone_in(analysis, candidates, dimensions), 100 if figure == "visibility" else 1)
    if statistics:
        add_changes(analysis, candidates, answers_in, (current, previous, series, is_named), (dimensions, figure))
    candidates = [one for one in candidates if one[1] in shown]
    if params.get("only") == "moved":
        moved = {"moved", "moved_with_field", "first_sign"}
        candidates = [one for one in candidates if (one[2].get("change") or {}).get("verdict") in moved]
    rows = {json.dumps([brand["name"], group[0]], sort_keys=True, ensure_ascii=False): row for group, brand, row in candidates}
    return {"total_count": len(rows), "rows": rows, "answers": len(answers), "left_out": left_out}


def gap_of(sums, brand, versus, figure):
    """Mean difference of two brands in the same answers, paired by prompt; None for a brand and itself."""
    if brand == versus:
        return None
    pairs = list(zip(sums.clusters(brand, figure), sums.clusters(versus, figure)))
    n = math.fsum(m for (_, m), _ in pairs)
    ds = [x - y for (x, _), (y, _) in pairs]
    named = {"versus_value": math.fsum(y for _, (y, _) in pairs) / n if n else None, "n": sums.total, "prompts": sums.prompts}
    if n == 0:
        return {**named, **judged_change((0, 0, 0, False), [])}
    delta = math.fsum(ds) / n
    squares = math.fsum((d - delta * m) ** 2 for d, ((_, m), _) in zip(ds, pairs))
    if squares <= 1e-9 * math.fsum(d * d for d in ds):
        squares = 1
    effective = math.floor(n * n / math.fsum(m * m for (_, m), _ in pairs) + 1e-9)
    judged = effective >= 5 and sum(abs(d) > 1e-9 for d in ds) >= 6
    spread = effective / (effective - 1) * squares / n**2 if effective > 1 else 0
    return {**named, **judged_change((delta, spread, effective - 1, judged), [])}


def judge_gaps(candidates, alone, scale):
    """Smallest of m * p_k / k over the p of the family that are as large (Benjamini and Hochberg)."""
    gaps = [row["gap"] for _, _, row in candidates]
    family = sorted(gap["p"] for gap, single in zip(gaps, alone) if gap and not single and gap["p"] is not None)
    for (_, _, row), gap, single in zip(candidates, gaps, alone):
        if gap is None:
            continue
        p = gap["p"]
        if p is not None and not single:
            p = min(other * len(family) / (rank + 1) for rank, other in enumerate(family) if other >= p)
        delta = gap.pop("delta")
        verdict = "too_little_data" if p is None else "no_significant_gap" if p > 0.05 else "ahead" if delta > 0 else "behind"
        scaled = {key: None if gap[key] is None else gap[key] * scale for key in ("versus_value", "ci_low", "ci_high")}
        row["gap"] = {**gap, **scaled, "gap": None if p is None else delta * scale, "p": p, "verdict": verdict}


def alone_in(analysis, candidates, dimensions):
    """Parts of one brand are judged together; the own brand of the whole selection, in each collect, is one question."""
    has_parts = any(one not in ("brand", "collect") for one in dimensions)
    return [not has_parts and brand["id"] == analysis.own for _, brand, _ in candidates]


def add_changes(analysis, candidates, answers_in, chosen, asked):
    current, previous, series, is_named = chosen
    dimensions, figure = asked
    is_judged = (figure != "share_of_voice" or len(analysis.families) > 1) and "keyword" not in dimensions and ("collect" in dimensions or len(current) == 1)
    opened, changes = {}, []
    by_id = {collect["id"]: collect for collect in analysis.collects}
    for group, brand, _ in candidates:
        key = json.dumps([group[1], [one["position"] for one in group[2]]])
        if key not in opened:
            of = lambda collect_id, group=group: answers_in(group, [by_id[collect_id]])
            opened[key] = Changes(analysis, series, of, figure, previous if is_named else None)
        last = group[3][0] if "collect" in group[0] else current[-1]
        changes.append(opened[key].at(last, brand["number"]) if is_judged else None)
    alone = alone_in(analysis, candidates, dimensions)
    for (_, _, row), change in zip(candidates, judge(changes, alone)):
        row["change"] = as_shown(change, 100 if figure == "visibility" else 1)
        if "keyword" not in dimensions:
            row["previous"] = row["change"] and row["change"]["before"]


def citations(analysis, params):
    keywords = analysis.keywords(params, ["Generic", "Brand"], False)
    current, _, _ = analysis.chosen(params)
    answers, left_out, _ = analysis.select(current, keywords, params.get("sources"), True if "kind" in params else None)
    having, lacking = (analysis.number.get(params.get(one)) for one in ("with_brand", "absent_brand"))
    is_cited = params.get("pages", "cited") == "cited"
    by_page = "page" in params.get("group_by", [])
    counts, n = defaultdict(lambda: defaultdict(int)), defaultdict(int)
    times, kinds = defaultdict(int), defaultdict(lambda: defaultdict(int))
    places, others = defaultdict(int), set()
    for answer in answers:
        if (having is not None and having not in answer["places"]) or (lacking is not None and lacking in answer["places"]):
            continue
        links = [one for one in answer["citations"] if one[1] == is_cited]
        others |= {url if by_page else domain for _, cited, url, domain, _, _ in answer["citations"] if cited != is_cited}
        if not links:
            continue
        n[answer["prompt"]] += 1
        names = [url if by_page else domain for _, _, url, domain, _, _ in links]
        for place, (name, link) in enumerate(zip(names, links), 1):
            times[name] += 1
            places[name] += place
            kinds[name][link[4]] += 1
        for name in set(names):
            counts[name][answer["prompt"]] += 1
    total = sum(n.values())
    rows = {}
    for name, own in counts.items():
        row = {"answers": sum(own.values()), "citations": times[name], "share": sum(own.values()) / total}
        row["position"] = places[name] / times[name]
        row["role"] = "both" if name in others else params.get("pages", "cited")
        if params.get("statistics"):
            clusters = [(own.get(prompt, 0), m) for prompt, m in n.items()]
            interval = rate_interval(clusters, max(1, total / len(n)), 1)
            row |= {"ci_low": interval and interval[0], "ci_high": interval and interval[1]}
            row["grade"] = grade(row["share"], interval, len(clusters))
        rows[name] = row
    return {"total_count": len(rows), "rows": rows, "citing_answers": total, "left_out": left_out}


ENDPOINTS = {"top-brands": top_brands, "keywords-metrics": keywords_metrics, "visibility": visibility, "citations": citations}


# What a row says of itself, which is no figure.
DESCRIBING = {
    *DIMENSIONS, "brand", "brand_id", "is_my_brand", "competitor_type", "collect_id", "collected_to", "keyword_id", "domain", "url", "page_type",
    "thematic_name", "intent", "search_volume", "trends", "search_interest_trends", "related_queries", "strength", "weakness",
    "related_product", "sub_brand", "keyword_text", "type",
}  # fmt: skip


class Compared:
    """Counts what was compared, and keeps what differs."""

    def __init__(self):
        self.numbers, self.differences = 0, []

    def compare(self, where, expected, given):
        if isinstance(expected, dict):
            given = given if isinstance(given, dict) else {}
            for key, value in expected.items():
                self.compare([*where, key], value, given.get(key, "nothing"))
            return
        self.numbers += 1
        both = [isinstance(one, (int, float)) and not isinstance(one, bool) for one in (expected, given)]
        if all(both):
            # As near as six decimals can be.
            same = abs(expected - given) <= 0.5e-6 + 1e-9 * max(1, abs(expected))
        else:
            same = expected == given
        if not same:
            self.differences.append({"where": where, "recomputed": expected, "given": given})


def recomputed(raws, cases):
    """How the answers in the cases compare with what is made of the raw rows."""
    analyses = [Analysis(raw) for raw in raws]
    compared = Compared()
    verdicts = defaultdict(int)
    for number, case in enumerate(cases):
        expected = ENDPOINTS[case["endpoint"]](analyses[case["analysis"]], case["params"])
        where = [number, case["endpoint"]]
        missing = [key for key in case["rows"] if key not in expected["rows"]]
        for key in missing:
            compared.differences.append({"where": [*where, key], "recomputed": "no row", "given": "a row"})
        compared.compare(where, expected, {**case["body"], "rows": case["rows"]})
        for key, row in expected["rows"].items():
            # A figure where nothing can be computed.
            # The changes of citations are those of brands in the same answers: test/metrics/citation-changes.test.ts.
            unmade = {"change"} if case["endpoint"] == "citations" else set()
            for name in set(case["rows"].get(key, {})) - set(row) - DESCRIBING - unmade:
                compared.differences.append({"where": [*where, key, name], "recomputed": "nothing", "given": case["rows"][key][name]})
        for row in case["rows"].values():
            verdicts[(row.get("change") or {}).get("verdict")] += 1
            verdicts[(row.get("gap") or {}).get("verdict")] += "gap" in row
    counted = {str(key): count for key, count in verdicts.items()}
    return {"numbers": compared.numbers, "differences": compared.differences, "verdicts": counted}


def main():
    given = json.load(sys.stdin)
    json.dump(recomputed(given["analyses"], given["cases"]), sys.stdout)


if __name__ == "__main__":
    main()
