// Types for the parts of these untyped packages that the baselines use.
declare module "vader-sentiment" {
  const vader: {
    SentimentIntensityAnalyzer: { polarity_scores(text: string): { compound: number } };
  };
  export default vader;
}

declare module "wink-sentiment" {
  export default function sentiment(text: string): { score: number };
}
