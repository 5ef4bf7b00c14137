// Paraphrased questions, written after the player and without changing it. On the first try, 8 of
// the first twelve were answered, 6 of the second, and, after tool hints had words of both, 11 of
// the third.

export const PARAPHRASES: Readonly<Record<string, string>> = {
  "How visible are we compared with our competitors?": "Where do we stand against our rivals?",
  "Who leads in the topic Offices?": "For the topic Offices, which brand is ahead?",
  "How present are we for first-time buyers?": "What is our presence among first-time buyers?",
  "What rank do we have for each keyword in Gemini?": "Show me our positions in Gemini, keyword by keyword.",
  "Which sites are cited most?": "What websites do answers link to most often?",
  "What should we do next?": "What are the most important things to work on?",
  "Whom do we track as competitors?": "List our rivals.",
  "On which attributes does our page score badly?": "Where is our page weak, according to its evaluation?",
  "How many credits do we have left?": "What is the balance of our credits?",
  "How much of our quotas is used?": "How close are we to the limits of our plan?",
  "How visible is Mondocup?": "Tell me about the visibility of Mondocup.",
  "Which pages of the brand Gaggia are cited?": "Do answers link to the site of the brand Gaggia?",

  "how does kestrova compare with brindlecup?": "kestrova or brindlecup, who does better?",
  "Which competitor gained most on ChatGPT since the collect before?":
    "Who grew the most on ChatGPT compared with last time?",
  "Which brands are most present in Google AI Overviews?": "Who shows up in Google AI Overviews?",
  "Which product review sites are cited?": "What product review sites do assistants rely on?",
  "In how many answers of ChatGPT is Brindlecup named but not us?":
    "Count the ChatGPT answers that mention Brindlecup but not us.",
  "Which kinds of customer have we described?": "Who are our personas?",
  "What were our credits spent on?": "Where did our credits go?",
  "Why is our most valuable action recommended: what is the evidence?":
    "Give me the reasons behind the top recommendation.",
  "Which brands do answers name that our catalog lacks?":
    "Are there new brands in the answers that we do not track yet?",
  "Which page of ours ranks for each keyword in Google?": "With which URL do we appear in Google for each keyword?",
  "Who leads in the topic Gardens?": "Which brands are strong in the topic Gardens?",
  "How many credits are left in the organization Umbrella?": "What budget does the organization Umbrella have?",

  "Did our presence go up or down since the previous collect?":
    "Are we named more or less often than in the collect before?",
  "What is the average rank of nordkaffa in perplexity?":
    "At which rank does nordkaffa stand in Perplexity on average?",
  "Which brand is most visible for milk drinks?": "Which brand wins for milk drinks?",
  "Where did our rank get worse in Bing since the previous collect?": "On which keywords did we drop in Bing?",
  "For which keywords about small kitchens do we score best?": "How do we score on the keywords about small kitchens?",
  "Which single page do answers cite most?": "What is the page that is cited most?",
  "What are the tasks of the first recommended action?": "Which steps belong to the first recommendation?",
  "Which domains belong to Steemwell?": "What is the website of Steemwell?",
  "Which analyses carry the tag winter?": "Show the analyses that are tagged winter.",
  "How well does our page score?": "What score did our text get?",
  "How were these answers collected, from real assistants?": "Are the answers simulated, or from real assistants?",
  "What is the average rank of the brand Lavazza?": "Where does the brand Lavazza rank?",
};
