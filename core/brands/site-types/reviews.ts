/** Sites that test products, and sites of customers' reviews. */
export const REVIEWS = `
01net.com wikipedia: 01net
3dtechvalley.com site: reviews of 3D printers
60millions-mag.com wikipedia: 60 millions de consommateurs
91mobiles.com site: phone reviews and comparison
adac.de wikipedia: ADAC
all3dp.com site: magazine and tests of 3D printing
altroconsumo.it wikipedia: Altroconsumo
americastestkitchen.com wikipedia: America's Test Kitchen
anandtech.com wikipedia: AnandTech
androidauthority.com wikipedia: Android Authority
androidcentral.com wikipedia: Android Central
angi.com wikipedia: Angi
auto-motor-und-sport.de wikipedia: Auto Motor und Sport
autobild.de wikipedia: Auto Bild
autocar.co.uk wikipedia: Autocar (magazine)
autoexpress.co.uk wikipedia: Auto Express
av-comparatives.org wikipedia: AV-Comparatives
av-test.org wikipedia: AV-TEST
avforums.com site: home cinema reviews and forum
avis-verifies.com site: reviews of shops by customers
babygearlab.com site: tests baby products side by side
bbb.org wikipedia: Better Business Bureau
bestproducts.com site: product recommendations of Hearst
bestproductsreviews.com site: lists of product reviews
bicycling.com wikipedia: Bicycling (magazine)
bikeradar.com wikipedia: BikeRadar
cameralabs.com site: reviews of cameras
caranddriver.com wikipedia: Car and Driver
carbuzz.com site: car reviews and news
cars.com wikipedia: Cars.com
cars.usnews.com wikipedia: U.S. News & World Report
carsguide.com.au wikipedia: CarsGuide
carwow.co.uk wikipedia: Carwow
chip.de wikipedia: Chip (magazine)
choice.com.au wikipedia: Choice (Australian consumer organisation)
cloudwards.net site: reviews of cloud services
clubic.com wikipedia: Clubic
cnet.com wikipedia: CNET
computerbild.de wikipedia: Computer Bild
connect.de site: tests of phones and networks
consumentenbond.nl wikipedia: Consumentenbond
consumer.org.nz wikipedia: Consumer NZ
consumeraffairs.com wikipedia: ConsumerAffairs
consumerreports.org wikipedia: Consumer Reports
creativebloq.com site: reviews and news for creatives
dcrainmaker.com site: sports technology reviews by Ray Maker
digitalcameraworld.com wikipedia: Digital Camera World
digitaltrends.com wikipedia: Digital Trends
dpreview.com wikipedia: Digital Photography Review
drive.com.au wikipedia: Drive.com.au
dxomark.com wikipedia: DXOMARK
edmunds.com wikipedia: Edmunds (company)
electronicsadvisor.org site: lists of product reviews
eurogamer.net wikipedia: Eurogamer
expertreviews.co.uk site: tests and reviews of products
firstquadcopter.com site: reviews of drones
foursquare.com wikipedia: Foursquare City Guide
frandroid.com wikipedia: Frandroid
gadgets360.com wikipedia: Gadgets 360
gamespot.com wikipedia: GameSpot
gamesradar.com wikipedia: GamesRadar+
gamingtrend.com site: game news and reviews
gearpatrol.com site: product reviews and news
glassdoor.com wikipedia: Glassdoor
golfdigest.com wikipedia: Golf Digest
goodhousekeeping.com wikipedia: Good Housekeeping
goodreads.com wikipedia: Goodreads
guru3d.com wikipedia: Guru3D
hardware.info wikipedia: Hardware.Info
healthgrades.com wikipedia: Healthgrades
hothardware.com wikipedia: HotHardware
houzz.com wikipedia: Houzz
ign.com wikipedia: IGN
imaging-resource.com wikipedia: Imaging Resource
imore.com wikipedia: IMore
jdpower.com wikipedia: J.D. Power
kbb.com wikipedia: Kelley Blue Book
kitguru.net site: hardware reviews
laptopmag.com wikipedia: Laptop Mag
lesnumeriques.com wikipedia: Les Numériques
loudnwireless.com site: reviews of headphones
mattressclarity.com site: reviews of mattresses
metacritic.com wikipedia: Metacritic
motortrend.com wikipedia: Motor Trend
mouthshut.com wikipedia: MouthShut.com
naplab.com site: tests of mattresses
netzwelt.de site: tests of technology
nextdecadetech.com site: lists of product reviews
niche.com wikipedia: Niche (company)
notebookcheck.com wikipedia: Notebookcheck
notebookcheck.net wikipedia: Notebookcheck
ocu.org wikipedia: Organización de Consumidores y Usuarios
oekotest.de wikipedia: Öko-Test
opentable.com wikipedia: OpenTable
outdoorgearlab.com site: tests outdoor gear side by side
parkers.co.uk wikipedia: Parkers
pcgamer.com wikipedia: PC Gamer
pcmag.com wikipedia: PC Magazine
pcworld.com wikipedia: PC World
phonearena.com wikipedia: PhoneArena
popularmechanics.com wikipedia: Popular Mechanics
productreview.com.au site: reviews by Australian consumers
projectorcentral.com site: reviews and database of projectors
projectorreviews.com site: reviews of projectors
quechoisir.org wikipedia: UFC-Que Choisir
reviewed.com wikipedia: Reviewed (website)
reviews.io site: reviews of shops by customers
rottentomatoes.com wikipedia: Rotten Tomatoes
rtings.com site: buys and tests products in its own lab
runnersworld.com wikipedia: Runner's World
runrepeat.com site: lab tests of shoes
safewise.com site: reviews of home security
security.org site: reviews of home security
seriouseats.com wikipedia: Serious Eats
sitejabber.com wikipedia: Sitejabber
sleepfoundation.org site: sleep advice and mattress reviews
sleepopolis.com site: reviews of mattresses
smallnetbuilder.com site: reviews of networking products
soundandvision.com wikipedia: Sound & Vision (magazine)
soundguys.com site: tests and reviews of audio products
stereophile.com wikipedia: Stereophile
stiftung-warentest.de wikipedia: Stiftung Warentest
storagereview.com site: reviews of storage
stuff.tv wikipedia: Stuff (magazine)
switchbacktravel.com site: reviews of outdoor gear
t3.com wikipedia: T3 (magazine)
techadvisor.com wikipedia: Tech Advisor
techgearlab.com site: tests products side by side
techpowerup.com wikipedia: TechPowerUp
techradar.com wikipedia: TechRadar
techspot.com wikipedia: TechSpot
test.de wikipedia: Stiftung Warentest
thegadgetflow.com site: shows new gadgets
thespruce.com wikipedia: The Spruce
thespruceeats.com wikipedia: The Spruce
thewirecutter.com wikipedia: Wirecutter (website)
tomsguide.com wikipedia: Tom's Guide
tomshardware.com wikipedia: Tom's Hardware
tooltester.com site: reviews of web tools
topconsumerspick.com site: lists of product reviews
topgear.com wikipedia: Top Gear (magazine)
tripadvisor.com wikipedia: Tripadvisor
trustedreviews.com wikipedia: Trusted Reviews
trustpilot.com wikipedia: Trustpilot
tweakers.net wikipedia: Tweakers
ultrabookreview.com site: reviews of laptops
vacuumwars.com site: tests of vacuum cleaners
vpnmentor.com site: reviews of VPNs
wareable.com site: reviews of wearables
websiteplanet.com site: reviews of web tools
whatcar.com wikipedia: What Car?
whathifi.com wikipedia: What Hi-Fi?
which.co.uk wikipedia: Which?
windowscentral.com wikipedia: Windows Central
yelp.com wikipedia: Yelp
`;
