"""Recomputes figures of the product from exported files alone.

Reads {"folders": [of a workspace's files], "analyses": [{folder, id}], "cases": as recompute.py does} from standard input. The files are
answers, mentions, citations, jobs, catalog, visibility and stances, as JSON Lines. Standard library only, and none of the product's code.
"""

import json
import math
import sys
from collections import defaultdict

import recompute


def rows_of(folder, what):
    with open(f"{folder}/{what}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def raw_of(folder, analysis_id):
    """What recompute.Analysis takes, of one analysis of a workspace."""
    mine = {
        what: [row for row in rows_of(folder, what) if row["analysis_id"] == analysis_id]
        for what in ("answers", "mentions", "citations", "jobs", "visibility")
    }
    brands = [row for row in rows_of(folder, "catalog") if row["record"] == "brand"]
    number = {brand["brand_id"]: at for at, brand in enumerate(brands, 1)}
    asked = mine["answers"] + mine["jobs"]
    questions = {row["question_id"]: row for row in asked}
    collects = {row["collect_id"]: row for row in asked}
    some = asked[0]
    return {
        "own": some["own_brand_id"],
        "scheduled": some["schedule"] != "once",
        "country": None,
        "compared": sorted({row["brand_id"] for row in mine["visibility"] if row["is_competitor"]}),
        "labels": {row[f"{of}_id"]: row[of] for row in asked for of in ("topic", "thematic", "persona") if row[f"{of}_id"]},
        "source_names": {one: names[one] for names in [{row["source"]: row["source_name"] for row in asked}] for one in ORDER if one in names},
        "channels": {row["source"]: row["channel"] for row in asked},
        "brands": [
            {
                "id": brand["brand_id"],
                "number": number[brand["brand_id"]],
                "name": brand["name"],
                "aliases": [alias["text"] for alias in brand["aliases"]],
                "parent_id": brand["parent_id"],
                "archived": brand["archived_at"] is not None,
            }
            for brand in brands
        ],
        "questions": [
            {
                "id": row["question_id"],
                "position": row["position"],
                "text": row["keyword"],
                "type": row["keyword_type"],
                "topic_id": row["topic_id"],
                "thematic_id": row["thematic_id"],
                "persona_id": row["persona_id"],
                "funnel_stage": row["funnel_stage"],
                "kind": row["prompt_kind"],
                "country": row["country"],
                "brand_id": row["asked_brand_id"],
                "look_alike": row["look_alike"],
            }
            for row in questions.values()
        ],
        "collects": [
            {
                "id": row["collect_id"],
                "number": row["collect"],
                "from": row["collected_from"],
                "to": row["collected_to"],
                "is_imported": row["is_imported"],
                "version": row["summed_version"],
            }
            for row in collects.values()
        ],
        "answers": [
            {
                "key": row["answer_id"],
                "collect_id": row["collect_id"],
                "question_id": row["question_id"],
                "source": row["source"],
                "run": row["run"],
                "method": row["method"],
                "model": row["model"],
                "shown": row["shown"],
            }
            for row in mine["answers"]
        ],
        "places": [
            [row["answer_id"], number[row["brand_id"]], row["rank"], row["brand_rank"], row["mentions"], row["url"]]
            for row in mine["mentions"]
        ],
        "citations": [
            [row["answer_id"], row["position"], row["cited"], row["url"], row["domain"], row["site_kind"], number.get(row["brand_id"])]
            for row in mine["citations"]
        ],
    }


# Sources in the order of the interface.
ORDER = [
    "SEARCH_A", "SEARCH_A_AIO", "ASSISTANT_A", "ASSISTANT_B", "SEARCH_B", "SEARCH_B_AIO", "SEARCH_B_AI_MODE", "ASSISTANT_C",
    "ASSISTANT_D", "MARKETPLACE_ASSISTANT",
]  # fmt: skip

STANCES = ["winner", "recommended", "caveated", "mentioned", "discouraged"]
# Of several in an answer the first of these is its own.
BEST = ["winner", "recommended", "discouraged", "caveated", "mentioned"]


def perception(folder, analysis_id):
    """What metrics/brand-perception says of each brand in the latest collect of a brand analysis."""
    answers = [row for row in rows_of(folder, "answers") if row["analysis_id"] == analysis_id]
    last = max(row["collect"] for row in answers)
    counted = {
        row["answer_id"]: row
        for row in answers
        if row["collect"] == last and row["shown"] and row["opinions_read"] and not row["asks_pros_cons"]
        and row["prompt_kind"] in ("unaided", "aided", "perception")
    }  # fmt: skip
    parents = {row["brand_id"]: row["parent_id"] for row in rows_of(folder, "catalog") if row["record"] == "brand"}
    names = {row["brand_id"]: row["name"] for row in rows_of(folder, "catalog") if row["record"] == "brand"}
    said = defaultdict(lambda: defaultdict(list))
    for row in rows_of(folder, "stances"):
        if row["answer_id"] not in counted:
            continue
        for brand in {row["brand_id"], parents.get(row["brand_id"])} - {None}:
            said[brand][row["answer_id"]].append(row)
    prompts = {}
    rows = {}
    for brand, by_answer in said.items():
        named = [(counted[one], of) for one, of in by_answer.items() if any(row["kind"] == "stance" for row in of)]
        if named:
            rows[names[brand]] = perception_row(named, prompts, {row["source"] for row in counted.values()})
    return rows


def perception_row(named, prompts, sources):
    def prompt_of(answer):
        asks = json.dumps([answer[one] for one in ("prompt_kind", "asked_brand_id", "look_alike", "keyword")])
        return prompts.setdefault(asks, len(prompts))

    def count(rows, kind):
        return sum(row["kind"] == kind for row in rows)

    def share(valued):
        clusters = defaultdict(lambda: [0.0, 0])
        for answer, value in valued:
            clusters[prompt_of(answer)][0] += value
            clusters[prompt_of(answer)][1] += 1
        of = [tuple(one) for one in clusters.values()]
        runs = max(1, len(valued) / len(of) / len(sources)) if of else 1
        return recompute.rate_interval(of, runs, len(sources)), len(of)

    def ratio(some, of):
        return some / of if of else None

    judged = [(answer, rows) for answer, rows in named if answer["unjudged"] is None]
    stances = defaultdict(int)
    for _, rows in named:
        own = {row["stance"] for row in rows}
        stances[next(one for one in BEST if one in own)] += 1
    row = {"answers": len(named), "prompts": len({prompt_of(answer) for answer, _ in named}), "judged": len(judged)}
    row |= {"unjudged": len(named) - len(judged), "judged_prompts": len({prompt_of(answer) for answer, _ in judged})}
    for stance in STANCES:
        row |= {stance: stances[stance], f"{stance}_share": ratio(stances[stance], len(named))}
    for kind in ("pro", "con"):
        having = [(answer, int(count(rows, kind) > 0)) for answer, rows in judged]
        interval, _ = share(having)
        with_one = sum(value for _, value in having)
        row |= {f"with_{kind}s": with_one, f"{kind}_rate": ratio(with_one, len(judged))}
        row |= {f"{kind}_ci_low": interval and interval[0], f"{kind}_ci_high": interval and interval[1]}
    either = []
    for answer, rows in judged:
        pros, cons = count(rows, "pro"), count(rows, "con")
        if pros + cons > 0:
            either.append((answer, 0.5 if pros == cons else int(pros > cons)))
    more, less = (sum(value == one for _, value in either) for one in (1, 0))
    interval, of = share(either)
    is_told = len(either) >= 10 and of >= 5
    row |= {"more_pros": more, "more_cons": less, "with_either": len(either), "either_prompts": of}
    row["sentiment"] = (more - less) / len(either) if is_told else None
    row["sentiment_ci_low"] = 2 * interval[0] - 1 if is_told and interval else None
    row["sentiment_ci_high"] = 2 * interval[1] - 1 if is_told and interval else None
    return row


def main():
    given = json.load(sys.stdin)
    raws = [raw_of(one["folder"], one["id"]) for one in given["analyses"]]
    result = recompute.recomputed(raws, given["cases"])
    compared = recompute.Compared()
    for one in given["perceptions"]:
        expected = perception(one["folder"], one["id"])
        for name, row in one["rows"].items():
            compared.compare(["brand-perception", name], expected.get(name, {"answers": "no row"}), row)
    result["numbers"] += compared.numbers
    result["differences"] += compared.differences
    result["opinions"] = compared.numbers
    json.dump(result, sys.stdout)


main()
