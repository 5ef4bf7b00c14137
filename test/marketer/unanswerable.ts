import type { Unanswerable } from "./question.ts";

// Questions without answer. A result states why, and gives no value.

const NO_BRAND = /matches no brand/;
const NO_SOURCE = /"path":"sources?(?:\.0)?"/;
const NOT_FOUND = /"code":"NOT_FOUND"|matches no (?:organization|workspace|analysis)/;

export const UNANSWERABLE: Unanswerable[] = [
  // Brands that are not tracked.
  { question: "How visible is Mondocup?", because: NO_BRAND, without: "Mondocup" },
  { question: "What is the average rank of the brand Lavazza?", because: NO_BRAND, without: "Lavazza" },
  { question: "In how many answers of ChatGPT is the brand Delonghi named?", because: NO_BRAND, without: "Delonghi" },
  { question: "Which pages of the brand Gaggia are cited?", because: NO_BRAND, without: "Gaggia" },
  { question: 'Compare Kestrova with "Rancillio".', because: NO_BRAND, without: "Rancillio" },
  { question: "In which answers does Claude name the brand Saeco?", because: NO_BRAND, without: "Saeco" },
  // Sources that are not queried.
  { question: "How do brands compare in the source Copilot?", because: NO_SOURCE, without: "Copilot" },
  { question: "Which sites does the source Grok cite?", because: NO_SOURCE, without: "Grok" },
  { question: 'What is our rank per keyword in the source "Meta AI"?', because: NO_SOURCE, without: "Meta AI" },
  // Unknown keywords.
  {
    question: 'Which answers name us for the keyword "best milk frother"?',
    because: /matches no keyword/,
    without: "best milk frother",
  },
  { question: "Who leads in the topic Gardens?", because: /matches no topic/, without: "Gardens" },
  { question: "Who is most visible for the persona Barista?", because: /matches no persona/, without: "Barista" },
  { question: "How present are we in the thematic Travel?", because: /matches no thematic/, without: "Travel" },
  // The future, and incomplete collects.
  { question: "What did the answers of collect 7 say?", because: /matches no collect/, without: "7" },
  { question: "How visible will we be in collect 9?", because: /matches no collect/, without: "9" },
  // Other organizations.
  { question: "How many credits are left in the organization Umbrella?", because: NOT_FOUND, without: "Umbrella" },
  { question: "Which brands does the workspace Tea kettles track?", because: NOT_FOUND, without: "Tea kettles" },
  { question: "What should the workspace Tea kettles do next?", because: NOT_FOUND, without: "Tea kettles" },
  {
    question: 'How many collects has the analysis "Winter campaign"?',
    because: NOT_FOUND,
    without: "Winter campaign",
  },
  // Empty lists.
  { question: "Which analyses are paused?", because: /list_analyses: 0 rows/, without: "paused" },
  { question: "Which videos do we keep as assets?", because: /list_assets: 0 rows/, without: "video" },
];
