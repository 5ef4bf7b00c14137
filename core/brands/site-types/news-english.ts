/** Newspapers, magazines, broadcasters and news sites whose domain is American, British or general. */
export const NEWS_ENGLISH = `
163.com wikipedia: NetEase
36kr.com wikipedia: 36Kr
9to5google.com wikipedia: 9to5Google
9to5mac.com wikipedia: 9to5Mac
abc7news.com wikipedia: KGO-TV
abcnews.go.com wikipedia: ABC News (United States)
accesswire.com site: distributes press releases
adage.com wikipedia: Ad Age
adweek.com wikipedia: Adweek
afp.com wikipedia: Agence France-Presse
afr.com wikipedia: The Australian Financial Review
aljazeera.com wikipedia: Al Jazeera English
allure.com wikipedia: Allure (magazine)
alojapan.com site: news on travel in Japan
androidpolice.com wikipedia: Android Police
aol.com wikipedia: AOL
apnews.com wikipedia: Associated Press
appleinsider.com wikipedia: AppleInsider
arabnews.com wikipedia: Arab News
archdaily.com wikipedia: ArchDaily
architecturaldigest.com wikipedia: Architectural Digest
arstechnica.com wikipedia: Ars Technica
as.com wikipedia: Diario AS
asahi.com wikipedia: The Asahi Shimbun
autoblog.com wikipedia: Autoblog
autoevolution.com wikipedia: Autoevolution
autonews.com wikipedia: Automotive News
axios.com wikipedia: Axios (website)
bangkokpost.com wikipedia: Bangkok Post
barrons.com wikipedia: Barron's (newspaper)
bbc.co.uk wikipedia: BBC
bbc.com wikipedia: BBC
beebom.com site: technology news and guides
benzinga.com wikipedia: Benzinga
bfmtv.com wikipedia: BFM TV
bhg.com wikipedia: Better Homes and Gardens (magazine)
billboard.com wikipedia: Billboard (magazine)
bleacherreport.com wikipedia: Bleacher Report
bleepingcomputer.com wikipedia: Bleeping Computer
blockchain.news site: news on blockchain and AI
bloomberg.com wikipedia: Bloomberg News
bonappetit.com wikipedia: Bon Appétit
bostonglobe.com wikipedia: The Boston Globe
brides.com wikipedia: Brides (magazine)
business-standard.com wikipedia: Business Standard
businessinsider.com wikipedia: Business Insider
businesswire.com wikipedia: Business Wire
byrdie.com site: beauty magazine of People Inc.
caixin.com wikipedia: Caixin Media
campaignlive.co.uk wikipedia: Campaign (magazine)
cbsnews.com wikipedia: CBS News
channel4.com wikipedia: Channel 4
channelnewsasia.com wikipedia: CNA (TV network)
chicagotribune.com wikipedia: Chicago Tribune
chosun.com wikipedia: The Chosun Ilbo
cio.com wikipedia: CIO (magazine)
clarin.com wikipedia: Clarín (Argentine newspaper)
cleantechnica.com wikipedia: CleanTechnica
cnbc.com wikipedia: CNBC
cnn.com wikipedia: CNN
cntraveler.com wikipedia: Condé Nast Traveler
coindesk.com wikipedia: CoinDesk
cointelegraph.com wikipedia: Cointelegraph
computerworld.com wikipedia: Computerworld
cordcuttersnews.com site: news on streaming
cosmopolitan.com wikipedia: Cosmopolitan (magazine)
cultofmac.com wikipedia: Cult of Mac
cyclingnews.com wikipedia: Cyclingnews.com
dailymail.co.uk wikipedia: MailOnline
darkreading.com wikipedia: Dark Reading
dawn.com wikipedia: Dawn (newspaper)
deadline.com wikipedia: Deadline Hollywood
detik.com wikipedia: Detik.com
dezeen.com wikipedia: Dezeen
digiday.com wikipedia: Digiday
discovermagazine.com wikipedia: Discover (magazine)
dothebay.com site: guide to events in the Bay Area
dw.com wikipedia: Deutsche Welle
eater.com wikipedia: Eater (website)
economist.com wikipedia: The Economist
einpresswire.com site: distributes press releases
elconfidencial.com wikipedia: El Confidencial
electrek.co wikipedia: Electrek
elle.com wikipedia: Elle (magazine)
elpais.com wikipedia: El País
eltiempo.com wikipedia: El Tiempo (Colombia)
emol.com wikipedia: Emol
engadget.com wikipedia: Engadget
enterprisetimes.co.uk site: news on enterprise technology
entrepreneur.com wikipedia: Entrepreneur (magazine)
epicurious.com wikipedia: Epicurious
espn.com wikipedia: ESPN
esquire.com wikipedia: Esquire (magazine)
euronews.com wikipedia: Euronews
ew.com wikipedia: Entertainment Weekly
eweek.com wikipedia: EWeek
expansion.com wikipedia: Expansión (Spanish newspaper)
express.co.uk wikipedia: Daily Express
fastcompany.com wikipedia: Fast Company
faz.net wikipedia: Frankfurter Allgemeine Zeitung
fieldandstream.com wikipedia: Field & Stream
finsmes.com site: news on venture funding
flipboard.com wikipedia: Flipboard (social news)
fodors.com wikipedia: Fodor's
foodandwine.com wikipedia: Food & Wine
fool.com wikipedia: The Motley Fool
forbes.com wikipedia: Forbes
fortune.com wikipedia: Fortune (magazine)
foxbusiness.com wikipedia: Fox Business
foxnews.com wikipedia: Fox News
france24.com wikipedia: France 24
fstoppers.com wikipedia: Fstoppers
ft.com wikipedia: Financial Times
ghacks.net wikipedia: Ghacks
gizmodo.com wikipedia: Gizmodo
glamour.com wikipedia: Glamour (magazine)
globenewswire.com wikipedia: GlobeNewswire
globo.com wikipedia: Grupo Globo
goal.com wikipedia: Goal (website)
gq.com wikipedia: GQ
gulfnews.com wikipedia: Gulf News
haaretz.com wikipedia: Haaretz
handelsblatt.com wikipedia: Handelsblatt
harpersbazaar.com wikipedia: Harper's Bazaar
hbr.org wikipedia: Harvard Business Review
hindustantimes.com wikipedia: Hindustan Times
hollywoodreporter.com wikipedia: The Hollywood Reporter
huffpost.com wikipedia: HuffPost
ifeng.com wikipedia: Phoenix Television
ilsole24ore.com wikipedia: Il Sole 24 Ore
inc.com wikipedia: Inc. (magazine)
independent.co.uk wikipedia: The Independent
indianexpress.com wikipedia: The Indian Express
indiatimes.com wikipedia: Indiatimes
infobae.com wikipedia: Infobae
informationweek.com wikipedia: InformationWeek
infoworld.com wikipedia: InfoWorld
inquirer.net wikipedia: Philippine Daily Inquirer
insideevs.com wikipedia: InsideEVs
instyle.com wikipedia: InStyle
irishtimes.com wikipedia: The Irish Times
itpro.com wikipedia: IT Pro
itv.com wikipedia: ITV (TV network)
jalopnik.com wikipedia: Jalopnik
joins.com wikipedia: JoongAng Ilbo
jpost.com wikipedia: The Jerusalem Post
khaleejtimes.com wikipedia: Khaleej Times
kiplinger.com wikipedia: Kiplinger
kompas.com wikipedia: Kompas
koreaherald.com wikipedia: The Korea Herald
kotaku.com wikipedia: Kotaku
kron4.com wikipedia: KRON-TV
latimes.com wikipedia: Los Angeles Times
lavanguardia.com wikipedia: La Vanguardia
livemint.com wikipedia: Mint (newspaper)
livescience.com wikipedia: Live Science
lonelyplanet.com wikipedia: Lonely Planet
macrumors.com wikipedia: MacRumors
macworld.com wikipedia: Macworld
marca.com wikipedia: Marca (newspaper)
marieclaire.com wikipedia: Marie Claire
marketingweek.com wikipedia: Marketing Week
marketwatch.com wikipedia: MarketWatch
marthastewart.com wikipedia: Martha Stewart Living
mashable.com wikipedia: Mashable
medicalnewstoday.com wikipedia: Medical News Today
meetingstoday.com site: magazine for meeting planners
menshealth.com wikipedia: Men's Health
mercurynews.com wikipedia: The Mercury News
metro.co.uk wikipedia: Metro (British newspaper)
mirror.co.uk wikipedia: Daily Mirror
moneycontrol.com wikipedia: Moneycontrol
morningstar.com wikipedia: Morningstar, Inc.
motor1.com wikipedia: Motor1.com
msn.com wikipedia: MSN
msnbc.com wikipedia: MSNBC
nationalgeographic.com wikipedia: National Geographic
nationalpost.com wikipedia: National Post
nbcnews.com wikipedia: NBC News
ndtv.com wikipedia: NDTV
neowin.net wikipedia: Neowin
networkworld.com wikipedia: Network World
news.google.com wikipedia: Google News
news18.com wikipedia: CNN-News18
news24.com wikipedia: News24 (website)
newscientist.com wikipedia: New Scientist
newsweek.com wikipedia: Newsweek
newyorker.com wikipedia: The New Yorker
nikkei.com wikipedia: The Nikkei
nippon.com wikipedia: Nippon.com
nme.com wikipedia: NME
npr.org wikipedia: NPR
numerama.com wikipedia: Numerama
nymag.com wikipedia: New York (magazine)
nypost.com wikipedia: New York Post
nytimes.com wikipedia: The New York Times
odakgazetesi.com site: Turkish newspaper
outsideonline.com wikipedia: Outside (magazine)
parents.com wikipedia: Parents (magazine)
pbs.org wikipedia: PBS
people.com wikipedia: People (magazine)
petapixel.com wikipedia: PetaPixel
phys.org wikipedia: Phys.org
physicsworld.com wikipedia: Physics World
pitchfork.com wikipedia: Pitchfork (website)
planeandpilotmag.com wikipedia: Plane & Pilot
pocket-lint.com wikipedia: Pocket-lint
pocketnow.com wikipedia: Pocketnow
politico.com wikipedia: Politico
polygon.com wikipedia: Polygon (website)
popsci.com wikipedia: Popular Science
prnewswire.com wikipedia: PR Newswire
prweek.com wikipedia: PRWeek
punchng.com wikipedia: The Punch
quantamagazine.org wikipedia: Quanta Magazine
quantumcomputingreport.com site: news on quantum computing
rappler.com wikipedia: Rappler
realsimple.com wikipedia: Real Simple
refinery29.com wikipedia: Refinery29
retaildive.com site: news of the retail trade
reuters.com wikipedia: Reuters
roadandtrack.com wikipedia: Road & Track
rollingstone.com wikipedia: Rolling Stone
salon.com wikipedia: Salon.com
sammobile.com wikipedia: SamMobile
scientificamerican.com wikipedia: Scientific American
scmp.com wikipedia: South China Morning Post
screenrant.com wikipedia: Screen Rant
seattletimes.com wikipedia: The Seattle Times
seekingalpha.com wikipedia: Seeking Alpha
self.com wikipedia: Self (magazine)
semafor.com wikipedia: Semafor (website)
sfchronicle.com wikipedia: San Francisco Chronicle
sfgate.com wikipedia: SFGate
sfist.com wikipedia: SFist
sfweekly.com wikipedia: SF Weekly
shape.com wikipedia: Shape (magazine)
si.com wikipedia: Sports Illustrated
siliconangle.com wikipedia: SiliconANGLE
sky.com wikipedia: Sky News
skysports.com wikipedia: Sky Sports
slashgear.com wikipedia: SlashGear
slate.com wikipedia: Slate (magazine)
slator.com site: news on the language industry
smithsonianmag.com wikipedia: Smithsonian (magazine)
sohu.com wikipedia: Sohu
southernliving.com wikipedia: Southern Living
space.com wikipedia: Space.com
spectrum.ieee.org wikipedia: IEEE Spectrum
sspai.com site: Chinese magazine on digital tools
standard.co.uk wikipedia: Evening Standard
statnews.com wikipedia: Stat (website)
straitstimes.com wikipedia: The Straits Times
tech.co site: technology news and software reviews
techcrunch.com wikipedia: TechCrunch
techgenyz.com site: technology news
technologyreview.com wikipedia: MIT Technology Review
techrepublic.com wikipedia: TechRepublic
techtarget.com wikipedia: TechTarget
telegraph.co.uk wikipedia: The Daily Telegraph
theathletic.com wikipedia: The Athletic
theatlantic.com wikipedia: The Atlantic
thecut.com wikipedia: The Cut (website)
thedrive.com wikipedia: The Drive (website)
theglobeandmail.com wikipedia: The Globe and Mail
theguardian.com wikipedia: The Guardian
thehackernews.com wikipedia: The Hacker News
thehill.com wikipedia: The Hill (newspaper)
thehindu.com wikipedia: The Hindu
theinformation.com wikipedia: The Information (website)
thejakartapost.com wikipedia: The Jakarta Post
thenationalnews.com wikipedia: The National (Abu Dhabi)
thenextweb.com wikipedia: The Next Web
thequantuminsider.com site: news on quantum computing
theregister.com wikipedia: The Register
thestar.com wikipedia: Toronto Star
thesun.co.uk wikipedia: The Sun (United Kingdom)
thetimes.co.uk wikipedia: The Times
thetimes.com wikipedia: The Times
theverge.com wikipedia: The Verge
tidbits.com wikipedia: TidBITS
time.com wikipedia: Time (magazine)
timeout.com wikipedia: Time Out (magazine)
timesofindia.indiatimes.com wikipedia: The Times of India
timesofisrael.com wikipedia: The Times of Israel
travelandleisure.com wikipedia: Travel + Leisure
ts2.tech site: technology news
upi.com wikipedia: United Press International
usatoday.com wikipedia: USA Today
usnews.com wikipedia: U.S. News & World Report
vanityfair.com wikipedia: Vanity Fair (magazine)
variety.com wikipedia: Variety (magazine)
venturebeat.com wikipedia: VentureBeat
vnexpress.net wikipedia: VnExpress
vogue.com wikipedia: Vogue (magazine)
vox.com wikipedia: Vox (website)
washingtonpost.com wikipedia: The Washington Post
webtekno.com wikipedia: Webtekno
wfin.com wikipedia: WFIN
wired.com wikipedia: Wired (magazine)
womenshealthmag.com wikipedia: Women's Health (magazine)
wsj.com wikipedia: The Wall Street Journal
xataka.com wikipedia: Xataka
xinhuanet.com wikipedia: Xinhua News Agency
xix.ai site: news on AI
yahoo.com wikipedia: Yahoo
zdnet.com wikipedia: ZDNET
`;
