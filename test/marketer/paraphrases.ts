// Questions in other words, written when the player was finished; it was not changed for them. The hints of tools got more
// words of such questions after the first twelve and before the others.

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
};
