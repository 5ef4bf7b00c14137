import { expect, test } from "vitest";
import { mergeKeywordData, type FoundKeywordData, type KeywordData } from "../../core/analyses/keyword-data.ts";

const UNKNOWN: KeywordData = { searchVolume: null, trends: null, searchInterestTrends: null, relatedQueries: null };
const FOUND: FoundKeywordData = {
  searchVolume: 1000,
  trends: [900, 1100],
  volumeFrom: "dataforseo",
  volumeAt: "2026-11-01T08:00:00.000Z",
  searchInterestTrends: [50],
  relatedQueries: [{ query: "phone test" }],
  interestFrom: "import",
  interestAt: "2026-11-02T08:00:00.000Z",
};

test("keyword data of the setup overrides found data, volume and interest separately", () => {
  expect(mergeKeywordData({ ...UNKNOWN, searchVolume: 0 }, FOUND)).toEqual({
    ...FOUND,
    searchVolume: 0,
    trends: null,
    volumeFrom: "setup",
    volumeAt: null,
  });
  expect(mergeKeywordData({ ...UNKNOWN, searchInterestTrends: [7] }, FOUND)).toEqual({
    ...FOUND,
    searchInterestTrends: [7],
    relatedQueries: null,
    interestFrom: "setup",
    interestAt: null,
  });
});

test("stored keyword data exposes no other columns, and a keyword without a row has none", () => {
  const row = { ...FOUND, keyword: "best phone", country: "DE" };
  expect(mergeKeywordData(UNKNOWN, row)).toEqual(FOUND);
  const none = { volumeFrom: null, volumeAt: null, interestFrom: null, interestAt: null };
  expect(mergeKeywordData(UNKNOWN, null)).toEqual({ ...UNKNOWN, ...none });
});
