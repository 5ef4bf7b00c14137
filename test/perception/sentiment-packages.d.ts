// The packages ship no types; this is what the baselines use of them.
declare module "vader-sentiment" {
  const vader: {
    SentimentIntensityAnalyzer: { polarity_scores(text: string): { compound: number } };
  };
  export default vader;
}

declare module "wink-sentiment" {
  export default function sentiment(text: string): { score: number };
}
