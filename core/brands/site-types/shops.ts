/** Shops, marketplaces, booking sites and app stores. */
export const SHOPS = `
11st.co.kr site: online shop
1688.com wikipedia: Alibaba Group
1800flowers.com wikipedia: 1-800-Flowers
1stdibs.com wikipedia: 1stDibs
3djake.com site: sells 3D printers and filament
abebooks.com wikipedia: AbeBooks
academy.com wikipedia: Academy Sports + Outdoors
adafruit.com wikipedia: Adafruit Industries
addons.mozilla.org site: store of extensions for Firefox
adorama.com wikipedia: Adorama
agoda.com wikipedia: Agoda
airbnb.com wikipedia: Airbnb
aldi.us wikipedia: Aldi
alibaba.com wikipedia: Alibaba Group
aliexpress.com wikipedia: AliExpress
allegro.pl wikipedia: Allegro (platform)
alternate.de site: online shop
alza.cz wikipedia: Alza.cz
amazon.ae wikipedia: Amazon (company)
amazon.ca wikipedia: Amazon (company)
amazon.co.jp wikipedia: Amazon (company)
amazon.co.uk wikipedia: Amazon (company)
amazon.com wikipedia: Amazon (company)
amazon.com.au wikipedia: Amazon (company)
amazon.com.be wikipedia: Amazon (company)
amazon.com.br wikipedia: Amazon (company)
amazon.com.mx wikipedia: Amazon (company)
amazon.com.tr wikipedia: Amazon (company)
amazon.de wikipedia: Amazon (company)
amazon.eg wikipedia: Amazon (company)
amazon.es wikipedia: Amazon (company)
amazon.fr wikipedia: Amazon (company)
amazon.in wikipedia: Amazon (company)
amazon.it wikipedia: Amazon (company)
amazon.nl wikipedia: Amazon (company)
amazon.pl wikipedia: Amazon (company)
amazon.sa wikipedia: Amazon (company)
amazon.se wikipedia: Amazon (company)
amazon.sg wikipedia: Amazon (company)
americanas.com.br wikipedia: Americanas
apps.apple.com wikipedia: App Store (Apple)
apps.microsoft.com wikipedia: Microsoft Store
appsumo.com site: sells lifetime deals of software
argos.co.uk wikipedia: Argos (retailer)
asda.com wikipedia: Asda
asos.com wikipedia: ASOS (retailer)
auchan.fr wikipedia: Auchan
audible.com wikipedia: Audible (service)
audio46.com site: online shop
autoscout24.de wikipedia: AutoScout24
autotrader.co.uk wikipedia: Auto Trader Group
autotrader.com wikipedia: Autotrader.com
autozone.com wikipedia: AutoZone
backcountry.com wikipedia: Backcountry.com
backmarket.co.uk wikipedia: Back Market
backmarket.com wikipedia: Back Market
backmarket.de wikipedia: Back Market
backmarket.fr wikipedia: Back Market
banggood.com wikipedia: Banggood
barnesandnoble.com wikipedia: Barnes & Noble
basspro.com wikipedia: Bass Pro Shops
bedbathandbeyond.com wikipedia: Bed Bath & Beyond
bestbuy.ca wikipedia: Best Buy
bestbuy.com wikipedia: Best Buy
bestchoice.com site: online shop
bhphotovideo.com wikipedia: B&H Photo Video
biccamera.com wikipedia: Bic Camera
bjs.com wikipedia: BJ's Wholesale Club
bloomingdales.com wikipedia: Bloomingdale's
bol.com wikipedia: Bol.com
boohoo.com wikipedia: Boohoo Group
booking.com wikipedia: Booking.com
bookshop.org wikipedia: Bookshop.org
boots.com wikipedia: Boots (company)
boulanger.com site: online shop
bukalapak.com wikipedia: Bukalapak
bunnings.com.au wikipedia: Bunnings
cabelas.com wikipedia: Cabela's
cargurus.com wikipedia: CarGurus
carmax.com wikipedia: CarMax
carrefour.fr wikipedia: Carrefour
carvana.com wikipedia: Carvana
casasbahia.com.br wikipedia: Casas Bahia
cashify.in site: buys and sells used phones
catch.com.au site: online shop
cdiscount.com wikipedia: Cdiscount
chewy.com wikipedia: Chewy (company)
chromewebstore.google.com wikipedia: Chrome Web Store
codecanyon.net wikipedia: Envato
conrad.de wikipedia: Conrad Electronic
coolblue.nl wikipedia: Coolblue
costco.com wikipedia: Costco
coupang.com wikipedia: Coupang
craigslist.org wikipedia: Craigslist
crateandbarrel.com wikipedia: Crate & Barrel
croma.com wikipedia: Croma (store)
crutchfield.com wikipedia: Crutchfield Corporation
currys.co.uk wikipedia: Currys
cvs.com wikipedia: CVS Pharmacy
darty.com wikipedia: Darty
decathlon.co.uk wikipedia: Decathlon (retailer)
decathlon.com wikipedia: Decathlon (retailer)
decathlon.de wikipedia: Decathlon (retailer)
decathlon.es wikipedia: Decathlon (retailer)
decathlon.fr wikipedia: Decathlon (retailer)
decathlon.it wikipedia: Decathlon (retailer)
depop.com wikipedia: Depop
dickssportinggoods.com wikipedia: Dick's Sporting Goods
digikey.com wikipedia: Digi-Key
djinyc.com site: online shop
dm.de wikipedia: Dm-drogerie markt
dominiondrones.com site: online shop
doordash.com wikipedia: DoorDash
douglas.de wikipedia: Douglas (company)
drdrone.com site: online shop
dronesdeli.com site: online shop
drop.com site: sells keyboards and audio gear
dsw.com wikipedia: Designer Brands
e38surveysolutions.com site: online shop
ebay.ca wikipedia: EBay
ebay.co.uk wikipedia: EBay
ebay.com wikipedia: EBay
ebay.com.au wikipedia: EBay
ebay.de wikipedia: EBay
ebay.es wikipedia: EBay
ebay.fr wikipedia: EBay
ebay.it wikipedia: EBay
ecer.com site: online shop
elcorteingles.es wikipedia: El Corte Inglés
elgiganten.se wikipedia: Elgiganten
emag.ro wikipedia: EMAG
etsy.com wikipedia: Etsy
eventbrite.com wikipedia: Eventbrite
expedia.com wikipedia: Expedia
falabella.com wikipedia: Falabella
farfetch.com wikipedia: Farfetch
flipkart.com wikipedia: Flipkart
fnac.com wikipedia: Fnac
footlocker.com wikipedia: Foot Locker
gamestop.com wikipedia: GameStop
gearbest.com wikipedia: GearBest
globalsources.com wikipedia: Global Sources
gmarket.co.kr wikipedia: Gmarket
gnc.com wikipedia: GNC (store)
gog.com wikipedia: GOG.com
groupon.com wikipedia: Groupon
guitarcenter.com wikipedia: Guitar Center
gumtree.com wikipedia: Gumtree
harveynorman.com.au wikipedia: Harvey Norman
headphones.com site: shop for headphones
hepsiburada.com wikipedia: Hepsiburada
homedepot.ca wikipedia: The Home Depot
homedepot.com wikipedia: The Home Depot
hotels.com wikipedia: Hotels.com
hsn.com wikipedia: HSN
humblebundle.com wikipedia: Humble Bundle
iherb.com wikipedia: IHerb
ikea.com wikipedia: IKEA
indiamart.com wikipedia: IndiaMART
instacart.com wikipedia: Instacart
jbhifi.com.au wikipedia: JB Hi-Fi
jd.com wikipedia: JD.com
jdsports.co.uk wikipedia: JD Sports
johnlewis.com wikipedia: John Lewis & Partners
jumia.com wikipedia: Jumia
kleinanzeigen.de wikipedia: Kleinanzeigen
kogan.com wikipedia: Kogan.com
kohls.com wikipedia: Kohl's
kroger.com wikipedia: Kroger
lazada.co.th wikipedia: Lazada
lazada.com wikipedia: Lazada
lazada.com.my wikipedia: Lazada
lazada.com.ph wikipedia: Lazada
lazada.sg wikipedia: Lazada
ldlc.com site: online shop
leboncoin.fr wikipedia: Leboncoin
lensrentals.com site: online shop
leroymerlin.fr wikipedia: Leroy Merlin
lidl.de wikipedia: Lidl
lightinthebox.com wikipedia: LightInTheBox
lookfantastic.com wikipedia: The Hut Group
lowes.com wikipedia: Lowe's
macys.com wikipedia: Macy's
made-in-china.com wikipedia: Made-in-China.com
magazineluiza.com.br wikipedia: Magazine Luiza
maisondudrone.com site: online shop
marketresearch.com site: sells market research reports
marksandspencer.com wikipedia: Marks & Spencer
marktplaats.nl wikipedia: Marktplaats.nl
matterhackers.com site: sells 3D printers and filament
mediamarkt.de wikipedia: Media Markt
mediamarkt.es wikipedia: Media Markt
mediamarkt.nl wikipedia: Media Markt
mercadolibre.com wikipedia: Mercado Libre
mercadolibre.com.ar wikipedia: Mercado Libre
mercadolibre.com.mx wikipedia: Mercado Libre
mercadolivre.com.br wikipedia: Mercado Libre
mercari.com wikipedia: Mercari
microcenter.com wikipedia: Micro Center
mobile.de wikipedia: Mobile.de
monoprice.com wikipedia: Monoprice
mouser.com wikipedia: Mouser Electronics
mrporter.com wikipedia: Mr Porter
musiciansfriend.com wikipedia: Musician's Friend
myntra.com wikipedia: Myntra
n11.com wikipedia: N11.com
neimanmarcus.com wikipedia: Neiman Marcus
net-a-porter.com wikipedia: Net-a-Porter
newegg.com wikipedia: Newegg
noon.com wikipedia: Noon (company)
nordstrom.com wikipedia: Nordstrom
notebooksbilliger.de wikipedia: Notebooksbilliger.de
nykaa.com wikipedia: Nykaa
ocado.com wikipedia: Ocado
officedepot.com wikipedia: Office Depot
officeworks.com.au wikipedia: Officeworks
olx.com wikipedia: OLX
otto.de wikipedia: Otto GmbH
overstock.com wikipedia: Overstock.com
ozon.ru wikipedia: Ozon (company)
pccomponentes.com wikipedia: PcComponentes
personalprojector.co.uk site: online shop
petco.com wikipedia: Petco
petsmart.com wikipedia: PetSmart
pinduoduo.com wikipedia: Pinduoduo
play.google.com wikipedia: Google Play
poshmark.com wikipedia: Poshmark
potterybarn.com wikipedia: Pottery Barn
power.no site: online shop
printedsolid.com site: online shop
qvc.com wikipedia: QVC
rakuten.co.jp wikipedia: Rakuten
rakuten.com wikipedia: Rakuten
redbubble.com wikipedia: Redbubble
redfin.com wikipedia: Redfin
rei.com wikipedia: REI
reliancedigital.in wikipedia: Reliance Digital
reverb.com wikipedia: Reverb.com
revolve.com wikipedia: Revolve Group
riteaid.com wikipedia: Rite Aid
rockauto.com wikipedia: RockAuto
rossmann.de wikipedia: Rossmann (company)
sainsburys.co.uk wikipedia: Sainsbury's
saksfifthavenue.com wikipedia: Saks Fifth Avenue
samsclub.com wikipedia: Sam's Club
saturn.de wikipedia: Saturn (retailer)
scan.co.uk site: online shop
sears.com wikipedia: Sears
seatgeek.com wikipedia: SeatGeek
sephora.com wikipedia: Sephora
shein.com wikipedia: Shein
shopee.co.id wikipedia: Shopee
shopee.com wikipedia: Shopee
shopee.com.br wikipedia: Shopee
shopee.com.my wikipedia: Shopee
shopee.ph wikipedia: Shopee
shopee.sg wikipedia: Shopee
shopee.vn wikipedia: Shopee
snapdeal.com wikipedia: Snapdeal
sparkfun.com wikipedia: SparkFun Electronics
ssense.com wikipedia: SSENSE
stacksocial.com site: sells deals of software and gadgets
staples.com wikipedia: Staples Inc.
steampowered.com wikipedia: Steam (service)
stockx.com wikipedia: StockX
stubhub.com wikipedia: StubHub
swappa.com wikipedia: Swappa
sweetwater.com wikipedia: Sweetwater Sound
takealot.com wikipedia: Takealot.com
taobao.com wikipedia: Taobao
target.com wikipedia: Target Corporation
tatacliq.com wikipedia: Tata CLiQ
temu.com wikipedia: Temu (marketplace)
tesco.com wikipedia: Tesco
themeforest.net wikipedia: Envato
thomann.de wikipedia: Musikhaus Thomann
thredup.com wikipedia: ThredUp
thriftbooks.com wikipedia: ThriftBooks
ticketmaster.com wikipedia: Ticketmaster
tirerack.com wikipedia: Tire Rack
tmall.com wikipedia: Tmall
tokopedia.com wikipedia: Tokopedia
traderjoes.com wikipedia: Trader Joe's
trendyol.com wikipedia: Trendyol
trip.com wikipedia: Trip.com Group
ubereats.com wikipedia: Uber Eats
ulta.com wikipedia: Ulta Beauty
unieuro.it wikipedia: Unieuro
uniqlo.com wikipedia: Uniqlo
vinted.com wikipedia: Vinted
vitacost.com wikipedia: Vitacost
vitaminshoppe.com wikipedia: The Vitamin Shoppe
vrbo.com wikipedia: Vrbo
walgreens.com wikipedia: Walgreens
walmart.ca wikipedia: Walmart Canada
walmart.com wikipedia: Walmart
waterstones.com wikipedia: Waterstones
wayfair.com wikipedia: Wayfair
westelm.com wikipedia: West Elm
wholefoodsmarket.com wikipedia: Whole Foods Market
wildberries.ru wikipedia: Wildberries
williams-sonoma.com wikipedia: Williams-Sonoma
woolworths.com.au wikipedia: Woolworths Supermarkets
yodobashi.com wikipedia: Yodobashi Camera
zalando.co.uk wikipedia: Zalando
zalando.com wikipedia: Zalando
zalando.de wikipedia: Zalando
zalando.es wikipedia: Zalando
zalando.fr wikipedia: Zalando
zalando.it wikipedia: Zalando
zappos.com wikipedia: Zappos
zillow.com wikipedia: Zillow
zooplus.de wikipedia: Zooplus
`;
