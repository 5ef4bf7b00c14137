/** Folded words of five languages for things that are no brands. */
const THING_WORDS = `
band|singer|songwriter|rapper|musician|song|album|film|movie|novel|poem|character|superhero|deity|god|goddess|demon|myth\\w*|legend
actor|actress|politician|painter|poet|philosopher|saint|footballer|player|surname|last name|family name|given name|first name|verb|adjective|word|phrase|greeting|term|soap opera|sitcom|tv series|television series|video game
river|lake|mountain|village|town|city|municipality|commune|county|province|island|volcano|crater|asteroid|planet|moon|constellation
genus|species|plant|flower|insect|beetle|moth|bird|fish|mineral|protein|gene|enzyme|disease|syndrome|acronym
sanger|sangerin|rockband|musiker|lied|figur|gottheit|gott|gottin|schauspieler\\w*|politiker\\w*|maler\\w*|dichter\\w*|nachname|familienname|vorname
fluss|see|berg|dorf|stadt|gemeinde|ortsteil|insel|vulkan|gattung|pflanze|pflanzengattung|kafer|vogel|krankheit|roman|spielfilm|fernsehserie|videospiel|wort|begriff
chanteuse|chanteur|groupe de (?:rock|musique|metal|pop)|chanson|roman|personnage|dieu|deesse|acteur|actrice|peintre|nom de famille|prenom
riviere|fleuve|lac|montagne|ville|commune|ile|volcan|genre (?:de|d'(?:insectes?|oiseaux))|espece|plante|oiseau|maladie|serie televisee|jeu video|mot
cantante|grupo (?:de rock|musical)|banda de (?:rock|musica)|cancion|pelicula|novela|personaje|dios|diosa|actor|actriz|pintor|apellido|nombre de pila
rio|lago|montana|pueblo|ciudad|municipio|isla|volcan|genero (?:de|botanico)|especie|planta|pajaro|enfermedad|serie de television|videojuego|palabra
`;
const THINGS_JA =
  "川|湖|山|村|町|市|島|火山|バンド|歌手|映画|小説|アニメ|漫画|キャラクター|俳優|女優|選手|政治家|画家|神|女神|神話|植物|昆虫|鳥|魚|属|種|姓|名字|苗字|惑星|小惑星|病気";

const COMPANY_WORD_PATTERN =
  /(?<!\p{L})(?:compan|brand|maker|manufactur|firm\b|retailer|provider|platform|startup|business|service|software|app\b|tool|label\b|marke|firma|unternehmen|hersteller|anbieter|entreprise|marque|societe|fabricant|enseigne|empresa|marca|fabricante|compania)|ブランド|企業|会社|メーカー|サービス/u;

const UNSPACED = /[\p{Script=Han}\p{Script=Katakana}]/u;
/** Words that identify a trade, one trade per line. */
const TRADE_PATTERNS = [
  "shoe|sneaker|footwear|apparel|clothing|fashion|sportswear|schuh|laufschuh|turnschuh|bekleidung|kleidung|chaussure|vetement|baskets?\\b|zapat|ropa\\b|calzado|moda\\b|靴|シューズ|衣料|アパレル|スニーカー",
  "software|apps?\\b|saas\\b|crm\\b|erp\\b|plugin|logiciel|aplicacion|ソフト|アプリ",
  "bank(?:s|ing|en)?\\b|insur|fintech|broker|versicherung|banque|assurance|bancos?\\b|seguros\\b|銀行|保険|証券",
  "airline|hotels?\\b|resorts?\\b|hostel|fluggesellschaft|compagnie aerienne|aerolinea|航空|ホテル",
  "cars?\\b|automaker|automo|vehicle|autos?\\b|autohersteller|fahrzeug|voiture|coches?\\b|自動車",
  "foods?\\b|snack|beverage|drinks?\\b|beers?\\b|wines?\\b|restaurant|coffee|chocolat|lebensmittel|getrank|biere?\\b|weine?\\b|kaffee|schokolade|alimenta|boisson|vins?\\b|comida|bebida|cerveza|vinos?\\b|食品|飲料|ビール|ワイン|レストラン|コーヒー|菓子",
  "pharma|drugs?\\b|medicine|medication|medikament|arzneimittel|medicament|farmac|医薬|製薬",
  "newspaper|magazine|broadcaster|publish|zeitung|zeitschrift|fernsehsender|verlag|journal\\b|revue\\b|editeur|periodico|revista|editorial|新聞|雑誌|テレビ局|出版",
  "universit|schools?\\b|college|schule|hochschule|ecole|escuela|大学|学校",
  "furniture|mattress|sofas?\\b|mobel|matratze|meuble|matelas|mueble|colchon|家具|マットレス",
  "cosmetic|skincare|makeup|perfume|kosmetik|hautpflege|parfum|cosmetique|maquillaje|化粧品|スキンケア|コスメ",
  "electronic|headphone|earbud|smartphone|laptop|cameras?\\b|computer|elektronik|kopfhorer|fernseher|kameras?\\b|casque|ecouteur|auricular|telefono|electronica|電子|ヘッドホン|イヤホン|スマートフォン|カメラ|パソコン|家電",
].map((words) => {
  const stems = words.split("|");
  const kana = stems.filter((stem) => UNSPACED.test(stem));
  return new RegExp(`(?<!\\p{L})(?:${stems.filter((stem) => !UNSPACED.test(stem)).join("|")})|${kana.join("|")}`, "u");
});

const THING_WORD_PATTERN = new RegExp(
  String.raw`(?<!\p{L})(?:${THING_WORDS.trim().split("\n").join("|")})(?![\p{L}])`,
  "u",
);
const JAPANESE_THING_PATTERN = new RegExp(
  `(?:${THINGS_JA})(?:の(?:名前|名称|一種))?(?:です|である|であり|で、|で知られ)`,
  "u",
);

/** Matches the end of the noun phrase in a definition; customers, origin and activities follow. */
const DEFINITION_END_PATTERN =
  /[,;:.(、]| (?:for|that|which|who|known|from|based|with|fur|mit|aus|pour|qui|dont|avec|para|que|con)\b|向け/u;

/** Texts are folded; `definition` follows "X is a", `around` is the whole answer. */
export function isOtherCategory(definition: string, around: string, category: string): boolean {
  const [description = ""] = definition.split(DEFINITION_END_PATTERN, 1);
  const isSold = COMPANY_WORD_PATTERN.test(description);
  if (!isSold && JAPANESE_THING_PATTERN.test(definition)) return true;
  const thing = isSold ? null : THING_WORD_PATTERN.exec(description);
  if (thing && !category.includes(thing[0])) return true;
  const wanted = findTrades(category);
  if (wanted.length === 0 || findTrades(description).length === 0) return false;
  return !findTrades(around).some((field) => wanted.includes(field));
}

function findTrades(text: string): number[] {
  return TRADE_PATTERNS.flatMap((field, at) => (field.test(text) ? [at] : []));
}
