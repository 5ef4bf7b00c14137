/** Grows with every change of a text below: prompts name it, so that figures over other wordings are told apart. */
export const TEMPLATES_VERSION = 1;

/**
 * How people ask, in one language. {category}, {brand}, {attribute}, {country} and {persona} stand where their form cannot matter: after a
 * colon, between quotes, behind a word that takes them as they are ("zum Thema", "côté"). Comparisons name {first} and {second}. The first
 * of each kind are asked first.
 */
export interface PromptTemplates {
  unaided: readonly string[];
  in_country: readonly string[];
  as_persona: readonly string[];
  aided: readonly string[];
  /** Opinions that ask for neither pros nor cons. */
  perception: readonly string[];
  pros_cons: readonly string[];
  attribute: readonly string[];
  comparison: readonly string[];
}

const en: PromptTemplates = {
  unaided: [
    "Which brands come to mind first for {category}?",
    "What are the best options for {category} right now?",
    "What are the most trusted names in {category}?",
    "Who are the leaders in {category}?",
    "I'm looking for {category}. What would you recommend?",
    "Give me your top five for {category}.",
    "Which brands of {category} do people like most?",
    "Best {category}: which brands should I look at?",
    "What should I choose for {category} if I only want to decide once?",
    "For {category}, which brand gives the best value for money?",
    "Which brand would you pick for {category}, and why?",
    "I know nothing about {category}. Which brands should I start with?",
    "What do experts recommend for {category}?",
    "Which newcomers in {category} are worth a look?",
    "Which brands should I compare before I decide on {category}?",
    "Friends keep asking me about {category}. Which brands can I recommend to them?",
    "What is the safest choice for {category}?",
    "Which brands hold up best over the years for {category}?",
    "Are there brands of {category} that stand out this year?",
    "Make me a short list for {category} with one line on each brand.",
  ],
  in_country: [
    "What are the best options for {category} where I live ({country})?",
    "Which brands of {category} are easy to get here ({country})?",
  ],
  as_persona: [
    "About me: {persona}. Which brands of {category} would suit me?",
    "About me: {persona}. What would you recommend for {category}?",
    "About me: {persona}. What should I watch out for with {category}, and which brands get it right?",
  ],
  aided: [
    "Do you know {brand}?",
    "What is {brand}?",
    "Have you heard of {brand} in connection with {category}?",
    "Tell me about {brand}.",
    "What is {brand} known for?",
  ],
  perception: [
    "What do you think of {brand}?",
    "Is {brand} any good?",
    "Would you recommend {brand} for {category}?",
    "What is it like to be a customer of {brand}?",
    "What do people say about {brand}?",
  ],
  pros_cons: [
    "What are the pros and cons of {brand}?",
    "What do people like about {brand}, and what do they complain about?",
  ],
  attribute: [
    "How does {brand} do when it comes to {attribute}?",
    "I care a lot about {attribute}. Is {brand} the right choice?",
    "How would you rate {brand} for {attribute}?",
    "What do people say about {brand} and {attribute}?",
    "Does {brand} stand out for {attribute}?",
  ],
  comparison: [
    "{first} or {second}: which one is better for {category}?",
    "How does {first} compare with {second}?",
    "I can't decide between {first} and {second}. Which should I choose, and why?",
  ],
};

const de: PromptTemplates = {
  unaided: [
    "Welche Marken fallen dir beim Thema {category} als Erstes ein?",
    "Was ist gerade die beste Wahl beim Thema {category}?",
    "Welchen Anbietern kann man beim Thema {category} vertrauen?",
    "Wer ist im Bereich {category} führend?",
    "Ich suche etwas im Bereich {category}. Was empfiehlst du mir?",
    "Nenne mir deine Top 5 im Bereich {category}.",
    "Welche Marken sind im Bereich {category} am beliebtesten?",
    "{category}: Welche Marken sollte ich mir ansehen?",
    "{category}: Was nehme ich, wenn ich mich nur einmal entscheiden will?",
    "Welche Marke bietet im Bereich {category} am meisten fürs Geld?",
    "Für welche Marke würdest du dich beim Thema {category} entscheiden, und warum?",
    "Mit dem Thema {category} kenne ich mich gar nicht aus. Mit welchen Marken fange ich an?",
    "Was empfehlen Fachleute beim Thema {category}?",
    "Welche neuen Anbieter im Bereich {category} lohnen sich?",
    "Welche Marken sollte ich vergleichen, bevor ich mich beim Thema {category} entscheide?",
    "Freunde fragen mich oft zum Thema {category}. Welche Marken kann ich ihnen empfehlen?",
    "Womit mache ich im Bereich {category} am wenigsten falsch?",
    "Welche Marken bewähren sich im Bereich {category} über die Jahre am besten?",
    "Gibt es dieses Jahr Marken, die im Bereich {category} herausstechen?",
    "Mach mir eine kurze Liste zum Thema {category}, mit einem Satz zu jeder Marke.",
  ],
  in_country: [
    "Was ist beim Thema {category} die beste Wahl, da wo ich wohne ({country})?",
    "Welche Marken im Bereich {category} bekommt man hier ({country}) leicht?",
  ],
  as_persona: [
    "Über mich: {persona}. Welche Marken im Bereich {category} passen zu mir?",
    "Über mich: {persona}. Was empfiehlst du mir beim Thema {category}?",
    "Über mich: {persona}. Worauf sollte ich beim Thema {category} achten, und welche Marken machen das richtig?",
  ],
  aided: [
    "Kennst du {brand}?",
    "Was ist {brand}?",
    "Hast du beim Thema {category} schon einmal von {brand} gehört?",
    "Erzähl mir etwas über {brand}.",
    "Wofür ist {brand} bekannt?",
  ],
  perception: [
    "Was hältst du von {brand}?",
    "Taugt {brand} etwas?",
    "Würdest du {brand} beim Thema {category} empfehlen?",
    "Wie ist es, bei {brand} Kunde zu sein?",
    "Was sagen die Leute über {brand}?",
  ],
  pros_cons: [
    "Was sind die Vor- und Nachteile von {brand}?",
    "Was gefällt den Leuten an {brand}, und worüber beschweren sie sich?",
  ],
  attribute: [
    "Wie schneidet {brand} beim Thema {attribute} ab?",
    "Das Thema {attribute} ist mir sehr wichtig. Bin ich bei {brand} richtig?",
    "Wie bewertest du {brand} beim Thema {attribute}?",
    "Was sagen die Leute zum Thema {attribute} über {brand}?",
    "Sticht {brand} beim Thema {attribute} heraus?",
  ],
  comparison: [
    "{first} oder {second}: Was ist beim Thema {category} besser?",
    "Wie schlägt sich {first} im Vergleich mit {second}?",
    "Ich kann mich zwischen {first} und {second} nicht entscheiden. Was soll ich nehmen, und warum?",
  ],
};

const fr: PromptTemplates = {
  unaided: [
    "Côté {category}, quelles marques te viennent d'abord à l'esprit ?",
    "{category} : quel est le meilleur choix en ce moment ?",
    "Côté {category}, à quelles marques peut-on faire confiance ?",
    "Qui sont les leaders de la catégorie « {category} » ?",
    "Je cherche dans la catégorie « {category} ». Que me conseilles-tu ?",
    "Donne-moi ton top 5 dans la catégorie « {category} ».",
    "Côté {category}, quelles sont les marques préférées des gens ?",
    "{category} : quelles marques regarder en priorité ?",
    "{category} : que prendre si je ne veux choisir qu'une fois ?",
    "Côté {category}, quelle marque offre le meilleur rapport qualité-prix ?",
    "Côté {category}, quelle marque choisirais-tu, et pourquoi ?",
    "{category} : je n'y connais rien. Par quelles marques commencer ?",
    "Que recommandent les spécialistes côté {category} ?",
    "Quelles nouvelles marques valent le coup côté {category} ?",
    "Quelles marques comparer avant de me décider côté {category} ?",
    "Des amis me demandent souvent conseil côté {category}. Quelles marques leur recommander ?",
    "Côté {category}, quel est le choix le plus sûr ?",
    "Côté {category}, quelles marques tiennent le mieux dans le temps ?",
    "Y a-t-il des marques qui sortent du lot cette année côté {category} ?",
    "Fais-moi une petite liste côté {category}, avec une phrase sur chaque marque.",
  ],
  in_country: [
    "Côté {category}, quelles marques choisir là où j'habite ({country}) ?",
    "Côté {category}, quelles marques trouve-t-on facilement ici ({country}) ?",
  ],
  as_persona: [
    "À propos de moi : {persona}. Côté {category}, quelles marques me conviendraient ?",
    "À propos de moi : {persona}. Que me conseilles-tu côté {category} ?",
    "À propos de moi : {persona}. Côté {category}, à quoi dois-je faire attention, et quelles marques s'en sortent bien ?",
  ],
  aided: [
    "Tu connais {brand} ?",
    "{brand}, c'est quoi ?",
    "Côté {category}, as-tu déjà entendu parler de la marque {brand} ?",
    "Que peux-tu me dire sur {brand} ?",
    "Pour quoi la marque {brand} est-elle connue ?",
  ],
  perception: [
    "Que penses-tu de la marque {brand} ?",
    "{brand}, c'est bien ?",
    "Côté {category}, est-ce que tu recommanderais {brand} ?",
    "Comment ça se passe quand on est client chez {brand} ?",
    "Que disent les gens sur {brand} ?",
  ],
  pros_cons: [
    "Quels sont les avantages et les inconvénients de la marque {brand} ?",
    "Qu'est-ce que les gens aiment chez {brand}, et de quoi se plaignent-ils ?",
  ],
  attribute: [
    "Côté {attribute}, que vaut {brand} ?",
    "Mon critère principal : {attribute}. Est-ce que {brand} est un bon choix ?",
    "Quelle note donnerais-tu à {brand} côté {attribute} ?",
    "Que disent les gens sur {brand} côté {attribute} ?",
    "Est-ce que {brand} se distingue côté {attribute} ?",
  ],
  comparison: [
    "{first} ou {second} : que choisir côté {category} ?",
    "Que vaut {first} face à {second} ?",
    "J'hésite entre {first} et {second}. Que choisir, et pourquoi ?",
  ],
};

const es: PromptTemplates = {
  unaided: [
    "¿Qué marcas de {category} te vienen primero a la cabeza?",
    "¿Cuáles son ahora mismo las mejores opciones de {category}?",
    "¿En qué marcas de {category} se puede confiar?",
    "¿Quiénes son los líderes en {category}?",
    "Busco {category}. ¿Qué me recomiendas?",
    "Dime tu top 5 de {category}.",
    "¿Qué marcas de {category} gustan más a la gente?",
    "{category}: ¿qué marcas debería mirar?",
    "{category}: ¿qué elijo si solo quiero decidirme una vez?",
    "¿Qué marca de {category} ofrece la mejor relación calidad-precio?",
    "¿Qué marca de {category} elegirías tú, y por qué?",
    "No sé nada de {category}. ¿Por qué marcas empiezo?",
    "¿Qué recomiendan los expertos en {category}?",
    "¿Qué marcas nuevas de {category} valen la pena?",
    "¿Qué marcas de {category} debería comparar antes de decidirme?",
    "Mis amigos siempre me preguntan por {category}. ¿Qué marcas les puedo recomendar?",
    "¿Cuál es la opción más segura en {category}?",
    "¿Qué marcas de {category} dan mejor resultado con los años?",
    "¿Hay marcas de {category} que destaquen este año?",
    "Hazme una lista corta de {category} con una frase sobre cada marca.",
  ],
  in_country: [
    "¿Cuáles son las mejores opciones de {category} donde vivo ({country})?",
    "¿Qué marcas de {category} se consiguen fácilmente aquí ({country})?",
  ],
  as_persona: [
    "Sobre mí: {persona}. ¿Qué marcas de {category} me convienen?",
    "Sobre mí: {persona}. ¿Qué me recomiendas en {category}?",
    "Sobre mí: {persona}. ¿En qué debo fijarme en {category}, y qué marcas lo hacen bien?",
  ],
  aided: [
    "¿Conoces {brand}?",
    "¿Qué es {brand}?",
    "Hablando de {category}, ¿te suena {brand}?",
    "Cuéntame algo sobre {brand}.",
    "¿Por qué es conocida la marca {brand}?",
  ],
  perception: [
    "¿Qué opinas de {brand}?",
    "¿Es buena la marca {brand}?",
    "¿Recomendarías {brand} en {category}?",
    "¿Cómo es ser cliente de {brand}?",
    "¿Qué dice la gente sobre {brand}?",
  ],
  pros_cons: [
    "¿Cuáles son las ventajas y desventajas de {brand}?",
    "¿Qué le gusta a la gente de {brand} y de qué se queja?",
  ],
  attribute: [
    "¿Qué tal es {brand} en cuanto a {attribute}?",
    "Lo que más me importa: {attribute}. ¿Es {brand} una buena opción?",
    "¿Cómo valorarías {brand} en cuanto a {attribute}?",
    "¿Qué dice la gente sobre {brand} en cuanto a {attribute}?",
    "¿Destaca {brand} en cuanto a {attribute}?",
  ],
  // Not "o" and "y", which change before some names.
  comparison: [
    "{first} frente a {second}: ¿cuál es mejor en {category}?",
    "¿Qué tal es {first} en comparación con {second}?",
    "Tengo dos opciones, {first} contra {second}. ¿Cuál elijo y por qué?",
  ],
};

const ja: PromptTemplates = {
  unaided: [
    "{category}といえば、どのブランドを思い浮かべますか？",
    "{category}で今いちばん良い選択肢は何ですか？",
    "{category}で信頼できるブランドはどこですか？",
    "{category}の分野をリードしているのはどのブランドですか？",
    "{category}を探しています。おすすめを教えてください。",
    "{category}のおすすめトップ5を教えてください。",
    "{category}で人気のあるブランドはどこですか？",
    "{category}なら、どのブランドを見ておくべきですか？",
    "{category}選びで失敗したくありません。どれを選べばいいですか？",
    "{category}でコストパフォーマンスが一番良いブランドはどれですか？",
    "{category}なら、あなたはどのブランドを選びますか？理由も教えてください。",
    "{category}についてまったく詳しくありません。まずどのブランドを見ればいいですか？",
    "{category}について、専門家は何をすすめていますか？",
    "{category}で注目の新しいブランドはありますか？",
    "{category}を決める前に、どのブランドを比べるべきですか？",
    "友人から{category}についてよく相談されます。どのブランドをすすめればいいですか？",
    "{category}で一番無難な選択はどれですか？",
    "{category}で長く満足して使えるブランドはどこですか？",
    "今年、{category}で特に目立っているブランドはありますか？",
    "{category}の候補を短い一覧にして、それぞれ一言で説明してください。",
  ],
  in_country: [
    "私の住んでいる国（{country}）では、{category}はどのブランドが良いですか？",
    "ここ（{country}）で手に入りやすい{category}のブランドはどこですか？",
  ],
  as_persona: [
    "私について：{persona}。{category}ではどのブランドが合いますか？",
    "私について：{persona}。{category}のおすすめを教えてください。",
    "私について：{persona}。{category}では何に気をつけるべきですか？安心できるブランドはどこですか？",
  ],
  aided: [
    "{brand}を知っていますか？",
    "{brand}とは何ですか？",
    "{category}の分野で、{brand}という名前を聞いたことがありますか？",
    "{brand}について教えてください。",
    "{brand}は何で知られていますか？",
  ],
  perception: [
    "{brand}についてどう思いますか？",
    "{brand}は良いですか？",
    "{category}なら、{brand}をすすめますか？",
    "{brand}を利用している人の満足度はどうですか？",
    "{brand}の評判はどうですか？",
  ],
  pros_cons: ["{brand}のメリットとデメリットは何ですか？", "{brand}の良い点と、不満が多い点を教えてください。"],
  attribute: [
    "{attribute}の面で、{brand}はどうですか？",
    "{attribute}を重視しています。{brand}は良い選択ですか？",
    "{attribute}の面で{brand}を評価するとどうなりますか？",
    "{attribute}について、{brand}の評判はどうですか？",
    "{attribute}の面で、{brand}は優れていますか？",
  ],
  comparison: [
    "{category}なら、{first}と{second}のどちらが良いですか？",
    "{first}は{second}と比べてどうですか？",
    "{first}と{second}で迷っています。どちらを選ぶべきですか？理由も教えてください。",
  ],
};

export const TEMPLATES = { en, de, fr, es, ja } as const;
