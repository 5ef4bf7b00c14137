/** Sites that list, rank or compare offers of others: prices, software, apps, devices. */
export const COMPARISONS = `
ai-kit.cn site: directory of AI tools
aitoolbuzz.com site: directory of AI tools
alternativeto.net wikipedia: AlternativeTo
appshunter.io site: directory of apps
appvizer.com site: compares business software
artificialanalysis.ai site: compares AI models
bankrate.com wikipedia: Bankrate
betalist.com site: lists startups
billiger.de site: compares prices of shops
buscape.com.br wikipedia: Buscapé
camelcamelcamel.com wikipedia: Camelcamelcamel
capterra.com wikipedia: Capterra
ceneo.pl wikipedia: Ceneo.pl
check24.de wikipedia: Check24
clutch.co wikipedia: Clutch.co
comparecamp.com site: compares business software
comparethemarket.com wikipedia: Compare the Market
confused.com wikipedia: Confused.com
cpubenchmark.net wikipedia: PassMark Software
creditkarma.com wikipedia: Credit Karma
crozdesk.com site: compares business software
danawa.com wikipedia: Danawa
devicespecifications.com site: compares specifications of devices
displayspecifications.com site: compares specifications of displays
ev-database.org site: compares electric cars
financesonline.com site: compares business software
finder.com wikipedia: Finder.com
futurepedia.io site: directory of AI tools
g2.com wikipedia: G2 (company)
gartner.com wikipedia: Gartner
geekbench.com wikipedia: Geekbench
geizhals.at wikipedia: Geizhals
geizhals.de wikipedia: Geizhals
getapp.com wikipedia: Gartner
gocompare.com wikipedia: Gocompare
goodfirms.co site: lists and compares software and agencies
gsmarena.com wikipedia: GSMArena
heureka.cz site: compares prices of shops
heureka.sk site: compares prices of shops
hintaopas.fi site: compares prices of shops
idealo.co.uk wikipedia: Idealo
idealo.de wikipedia: Idealo
idealo.es wikipedia: Idealo
idealo.fr wikipedia: Idealo
idealo.it wikipedia: Idealo
indeed.com wikipedia: Indeed
kakaku.com wikipedia: Kakaku.com
kayak.com wikipedia: Kayak.com
kelkoo.com wikipedia: Kelkoo
kimovil.com site: compares phones and prices
lendingtree.com wikipedia: LendingTree
listmyai.net site: directory of AI tools
llm-stats.com site: compares language models
lmarena.ai wikipedia: LMArena
mobileappdaily.com site: lists of apps
momondo.com wikipedia: Momondo
moneysupermarket.com wikipedia: Moneysupermarket.com
nanoreview.net site: compares phones and processors
nerdwallet.com wikipedia: NerdWallet
numbeo.com wikipedia: Numbeo
omr.com site: reviews of business software and marketing media
payscale.com wikipedia: Payscale
pcpartpicker.com wikipedia: PCPartPicker
peerspot.com site: reviews and comparisons of business software
phonedb.net site: database of phones and their specifications
phonescoop.com site: compares phones
policygenius.com wikipedia: Policygenius
pricegrabber.com wikipedia: PriceGrabber
pricerunner.com wikipedia: PriceRunner
pricespy.co.uk wikipedia: PriceSpy
prisjakt.nu wikipedia: Prisjakt
productchart.com site: compares products in a chart
producthunt.com wikipedia: Product Hunt
rapidapi.com site: marketplace of programming interfaces
rome2rio.com wikipedia: Rome2Rio
saashub.com site: lists alternatives of software
shopping.google.com wikipedia: Google Shopping
shopzilla.com wikipedia: Connexity
similarweb.com wikipedia: Similarweb
skinflint.co.uk wikipedia: Geizhals
skroutz.gr wikipedia: Skroutz
skyscanner.com wikipedia: Skyscanner
skyscanner.net wikipedia: Skyscanner
slant.co site: compares products by votes
smartprix.com site: compares prices of phones
smzdm.com site: shopping recommendations by readers
softwareadvice.com wikipedia: Software Advice
softwaresuggest.com site: compares business software
softwareworld.co site: lists and compares software
someai.org site: directory of AI tools
sourceforge.net wikipedia: SourceForge
stackshare.io site: compares technology stacks
techjockey.com site: compares and sells software
thepointsguy.com wikipedia: The Points Guy
theresanaiforthat.com site: directory of AI tools
toolerific.ai site: directory of AI tools
toolify.ai site: directory of AI tools
top10.com site: compares products and services
topai.tools site: directory of AI tools
topaihubs.com site: directory of AI tools
topbusinesssoftware.com site: compares business software
toppreise.ch site: compares prices of shops
trivago.com wikipedia: Trivago
trovaprezzi.it site: compares prices of shops
truecar.com wikipedia: TrueCar
trustradius.com wikipedia: TrustRadius
userbenchmark.com wikipedia: UserBenchmark
uswitch.com wikipedia: Uswitch
valuepenguin.com site: compares financial products
verivox.de wikipedia: Verivox
versus.com site: compares products
videocardbenchmark.net wikipedia: PassMark Software
zoom.com.br site: compares prices of shops
`;
