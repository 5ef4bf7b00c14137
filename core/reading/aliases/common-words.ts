/**
 * Words of a language that are also names of brands, or are likely to be: an alias that is one of them matches in its own case only,
 * and at the start of a sentence only beside another sign that it is a name (name-signs.ts). Lists kept by hand, folded as texts are;
 * each word stands in a dictionary of its language: Merriam-Webster, Duden, Le Robert, the Diccionario de la lengua española,
 * Daijisen. They are no whole dictionaries: a brand's alias can always be marked case-sensitive by the customer.
 */
const WORDS = {
  en: `
able access ace acorn active adapt advance air alien all allure ally alpha always amber amp anchor angel anthem apex
apple arc arch aria arrow art ascend aspen aspire asset atlas atom aura aurora avid away axe axis badger balance
band bank bark base basic beacon beam bear beats bee bell best better beyond big bird bishop bit black blaze blink
bliss block bloom blue blur board bold bolt bond book boost boss bounce bound bounty box brave breeze bridge bright
brother brush buddy buffer bullet bumble butter cable calm camel canvas canyon capital caption care carrier cart
case cash caterpillar cell center champion chance charm chart chase chime choice chrome circle city clarity classic
clean clear clever click cloud clover club coach coast column comet comfort command compass concept connect converse
copper coral core corner corona cosmos craft crane crest cross crown crucial crystal cube curve dart dash dawn day
deal delta diamond dish dock dole dove dragon dream drift drive duke dust eagle earth echo edge elf ember emerald
envoy epic equinox escape essence essential ethos ever exact express eye face factor falcon fanatic fast feather
fender field fig figure fiji finish fire first fit flash flex flip float flow fly focal focus force forest forge
form forward fossil fox frame framework fresh frontier fuse future galaxy gallery gap gear gem general genesis giant
ginger give glass glide globe glossier glow go gold good grain gram grammar grand graph gravity green grid grove
guard guess guide gulf halo harbor harmony harvest haven hawk heart hello helm hero hinge hive home honest honey
honor hope horizon host hub human hunt hunter ice icon ideal image impulse index indigo infinite innocent insight
instant intent intercom iris iron ivory jaguar jar jet jewel journey joy juice jumbo jump just keen key kind kindle
king kite lace lamb land lark laser launch leaf leap legend lemon level liberty life lift light lime line linear link lion
liquid little live loom loop lotus loud love lucid luck luminous lunar lush lux lyric magic magnet main maple marine
mark mars mask master match mate matrix matter max maze meadow medium mega mercury mesh meta metro micro mighty mind
mini mint mirror mission mist mobile mode modern moment momentum monday monitor moon motion motive mountain move
muse mustang mystic native nature navigator nebula nectar neon nest neutral new next night nimble ninja noble nomad
north notch note nothing notion nova novel oak oasis object ocean odyssey off olive omega one onward opal open
optimal optimum oracle orange orb orbit origin outlook oval owl oxygen pace pact pad page palm panda panther paper
parade parrot passion patch path pay peak pear pearl pebble people perfect petal phoenix pilot pine pink pioneer
pitch pixel place planet plank plant play plenty plum plus pocket point poise polar polish pop port post power prime
prism pro progressive proof pulse puma pure pyramid quest quick quiver radiant rain rally ram ranger rapid raven raw
ray razor reach ready real rebel red reef refresh relay relish remedy renew response return rich ridge right ring
ripple rise rival river rock rocket root rose rover royal ruby rumble run sable safari sage sail salt sand sapphire
scout sea seat seed sense sentinel series seven shadow shape shark sharp shell shift shine ship shop signal silk
silver simple sketch sky slack slate slim smart smile snap snow solar solid solo sonic sound source space spark
spectrum speed sphere spirit splash spoon spot spring sprint square stack staples star station stealth steel stone
storm stream street stride stripe strong studio subway summit sun sunrise supreme surface surge sweet swift switch
symbol sync table tablet tango target task team temple tempo tender thread thrive thunder tide tiger timber time tin
titan toast token tonic torch total touch tower toy track trail trend triangle trident triumph true trust tube twist
ultra union unity up upstart urban valor value vanguard vault vector velvet venture verge verse vibe victor victory
view viking vine violet virgin virtue visa visible vision vista vital vivid vogue volt voyage walk wave way well
west whale wheat wheel whisper whole wild willow wind window wing winner wise wish wonder wood word work world
wrangler yard yoga young zen zenith zero zip zone zoom
`,
  de: `
adler anker apfel auge bahn baum berg biene bild blau blick blitz blume boden bogen brise brucke burg dach dampf diamant dorn drache
eiche eis engel erde feuer fest flamme fluss freude frisch frosch fruhling fuchs funke garten gelb geld grun hafen haus heim herz
himmel hirsch hof holz horizont insel kaiser kern klar knopf komet kompass konig kraft krone kugel kunst licht linde lowe luft
markt meer mond morgen mut nagel netz norden ofen park perle pfeil punkt quelle rabe rad rand reif rein rot ruhe sauber schatz schild
schloss schnell schwan segel silber sinn sonne spiegel spiel stadt stahl stein stern strand strom sturm tag tal tanne traum treue turm
ufer viel wald wasser weg weide weiss welle welt wiese winter wolf wolke wunder zeit ziel zimt zug zukunft
`,
  fr: `
abeille aigle amande ancre ange appel arbre argent aube aurore avenir azur banane blanc bleu bois bonheur boulanger but carrefour
casino ciel cible clair coeur comete confort corail couronne cristal croix dauphin demain diamant eclair eclat elan etoile fleur
flamme fraise galerie geant glace horizon jardin jaune joie jour kiwi lapin libre lumiere lune maison melon merci midi miel monde
mouche mousse neige nickel noir nuage papillon paradis peche perle phare pilote plume poire pomme pont prisme printemps reel renard
rouge ruche sable saison soleil tempo terre tigre total tour tresor vague vent vert vie violette virage voile zebre
`,
  es: `
abeja aguila aire alba alma amigo ancla aurora azul barco blanco bosque brisa bueno calma camino casa cielo claro colmena corazon
cumbre delfin dia diamante dorado eco estrella faro flor fresa fuego fuente gato girasol globo halcon hielo hogar isla jardin joya
lago leon libre limon llama luna luz madera mango manzana mar marca mariposa mesa miel mirador modelo mundo naranja nieve norte nube
ola oliva onda oro oveja paloma pan paraiso paz perla piedra pino pluma punto rayo real reina rey rio roca rojo rosa sal sol sombra
sueno sur tiempo tierra tigre torre trebol tucan vela verde via vida viento vuelo zorro zumo
`,
  ja: `
アップル エース オレンジ キング クラウン コスモス サン シチズン シャープ スター スマート ゼブラ タイガー トップ パイロット ピーチ
フレッシュ ブラザー マンゴー ライオン ライト
`,
};

const words = new Set(Object.values(WORDS).flatMap((list) => list.trim().split(/\s+/)));

/**
 * Words that open sentences so often that, followed by a small letter, they are read as the word, whatever verb follows; in a text of
 * one case they are the word everywhere but in a label.
 */
const OPENERS = new Set(
  "all always best big but ever first general good just new next nothing off on one open or true up".split(" "),
);

export function isCommonWord(lowerCaseWord: string): boolean {
  return words.has(lowerCaseWord);
}

export function opensSentences(lowerCaseWord: string): boolean {
  return OPENERS.has(lowerCaseWord);
}
