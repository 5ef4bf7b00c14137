import type { CompetitorType } from "../sources.ts";

/** What kind of site well-known domains are. Public knowledge, kept by hand; a site that is several things has its main one. */
const DOMAINS_BY_TYPE: Partial<Record<CompetitorType, string>> = {
  RETAIL_ECOMMERCE: `
    amazon.com amazon.ca amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.nl amazon.co.jp amazon.in
    amazon.com.au amazon.com.br ebay.com ebay.co.uk ebay.de ebay.fr walmart.com target.com bestbuy.com bestbuy.ca
    costco.com homedepot.com lowes.com newegg.com bhphotovideo.com adorama.com microcenter.com crutchfield.com
    sears.com kohls.com macys.com nordstrom.com wayfair.com overstock.com etsy.com aliexpress.com alibaba.com temu.com
    shein.com rakuten.com zalando.de zalando.com otto.de mediamarkt.de saturn.de cdiscount.com fnac.com darty.com
    boulanger.com currys.co.uk argos.co.uk johnlewis.com tesco.com carrefour.fr bol.com coolblue.nl allegro.pl
    flipkart.com mercadolibre.com jd.com taobao.com tmall.com sephora.com ulta.com boots.com chewy.com petco.com rei.com
    dickssportinggoods.com decathlon.com decathlon.fr ikea.com cvs.com walgreens.com instacart.com drop.com carvana.com
    cargurus.com autotrader.com backmarket.com swappa.com guitarcenter.com sweetwater.com thomann.de matterhackers.com
    staples.com zappos.com 3djake.com booking.com expedia.com kayak.com gamestop.com samsclub.com qvc.com asos.com farfetch.com
  `,
  WIKI_ENCYCLOPEDIA: `
    wikipedia.org wikimedia.org wikidata.org wiktionary.org wikihow.com fandom.com britannica.com encyclopedia.com
    investopedia.com grokipedia.com baike.baidu.com namu.wiki
  `,
  QA_FORUM: `
    reddit.com quora.com stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com avsforum.com
    head-fi.org xda-developers.com bogleheads.org mavicpilots.com
    garagejournal.com gutefrage.net jeuxvideo.com 4chan.org hardforum.com resetera.com teslamotorsclub.com
    zhihu.com answers.com justanswer.com news.ycombinator.com lemmy.world
  `,
  COMMUNITY_HELP_CENTER: `
    discourse.org zendesk.com helpscoutdocs.com intercom.help support.google.com support.microsoft.com
    discussions.apple.com answers.microsoft.com support.apple.com discord.com slack.com ifixit.com
  `,
  COMPARISON_SITE: `
    versus.com gsmarena.com kimovil.com capterra.com g2.com getapp.com softwareadvice.com saashub.com alternativeto.net
    slant.co nanoreview.net displayspecifications.com productchart.com idealo.de idealo.fr check24.de verivox.de
    moneysupermarket.com comparethemarket.com uswitch.com nerdwallet.com bankrate.com finder.com pricespy.co.uk
    pricerunner.com geizhals.de shopping.google.com pcpartpicker.com truecar.com
    stackshare.io sourceforge.net trustradius.com
  `,
  PRODUCT_REVIEW_SITE: `
    rtings.com techradar.com tomsguide.com tomshardware.com cnet.com pcmag.com pcworld.com laptopmag.com
    consumerreports.org whathifi.com soundguys.com techgearlab.com outdoorgearlab.com reviewed.com trustpilot.com
    which.co.uk stiftung-warentest.de test.de trustedreviews.com expertreviews.co.uk digitaltrends.com androidcentral.com
    windowscentral.com androidauthority.com phonearena.com notebookcheck.net dxomark.com dpreview.com digitalcameraworld.com
    techadvisor.com wareable.com dcrainmaker.com headphones.com projectorreviews.com projectorcentral.com all3dp.com
    caranddriver.com motortrend.com edmunds.com kbb.com cars.com jdpower.com topgear.com whatcar.com autocar.co.uk
    cars.usnews.com ultrabookreview.com hothardware.com techspot.com anandtech.com stuff.tv t3.com creativebloq.com
    gamesradar.com goodhousekeeping.com thespruce.com seriouseats.com runnersworld.com bicycling.com babygearlab.com
    sleepfoundation.org mattressclarity.com yelp.com tripadvisor.com glassdoor.com productreview.com.au lesnumeriques.com
    quechoisir.org 60millions-mag.com chip.de computerbild.de ign.com recurrentauto.com
  `,
  NEWS_MEDIA: `
    nytimes.com washingtonpost.com wsj.com theguardian.com bbc.com bbc.co.uk cnn.com foxnews.com nbcnews.com cbsnews.com
    abcnews.go.com usatoday.com apnews.com reuters.com bloomberg.com ft.com economist.com forbes.com fortune.com
    businessinsider.com cnbc.com marketwatch.com theverge.com wired.com engadget.com techcrunch.com arstechnica.com
    zdnet.com gizmodo.com mashable.com venturebeat.com theregister.com 9to5mac.com 9to5google.com macrumors.com
    androidpolice.com insideevs.com electrek.co space.com yahoo.com msn.com huffpost.com vox.com time.com newsweek.com
    usnews.com theatlantic.com newyorker.com nymag.com vogue.com gq.com esquire.com rollingstone.com variety.com
    hollywoodreporter.com espn.com telegraph.co.uk independent.co.uk dailymail.co.uk thesun.co.uk mirror.co.uk
    thetimes.co.uk sky.com spiegel.de zeit.de faz.net sueddeutsche.de bild.de welt.de heise.de golem.de t3n.de stern.de
    focus.de lemonde.fr lefigaro.fr liberation.fr leparisien.fr lesechos.fr bfmtv.com elpais.com elmundo.es marca.com
    corriere.it repubblica.it nos.nl nu.nl aftonbladet.se svd.se globo.com clarin.com japantimes.co.jp scmp.com
    timesofindia.indiatimes.com hindustantimes.com ndtv.com smh.com.au abc.net.au cbc.ca theglobeandmail.com
    prnewswire.com businesswire.com globenewswire.com axios.com politico.com npr.org fastcompany.com inc.com
    entrepreneur.com adweek.com techrepublic.com bleepingcomputer.com autoblog.com autoevolution.com roadandtrack.com
  `,
  GOVERNMENT_ACADEMIC: `
    europa.eu who.int un.org oecd.org worldbank.org imf.org nih.gov nature.com science.org sciencedirect.com springer.com
    jstor.org arxiv.org researchgate.net scholar.google.com pubmed.ncbi.nlm.nih.gov ieee.org acm.org mayoclinic.org
    admin.ch bund.de service-public.fr
  `,
  INFLUENCER_CREATOR_BLOG: `
    youtube.com youtu.be tiktok.com instagram.com facebook.com x.com twitter.com threads.net pinterest.com twitch.tv
    medium.com substack.com blogspot.com wordpress.com tumblr.com patreon.com linkedin.com vimeo.com bsky.app
    thedronegirl.com markellisreviews.com chrislovesjulia.com jvn.photo
  `,
  SPECIALIST_BLOG: `
    searchengineland.com searchenginejournal.com moz.com backlinko.com dev.to hackernoon.com
    smashingmagazine.com css-tricks.com healthline.com webmd.com verywellhealth.com thewirecutter.com makeuseof.com
    howtogeek.com lifehacker.com lifewire.com topspeed.com dronexl.co 3dprintbeginner.com 3dsourced.com
    clevercreations.org homestudiobasics.com musictech.com amateurphotographer.com audio46.com thesmarthomehookup.com
    the-gadgeteer.com voxelmatters.com
  `,
};

/** By host; entries stand for their subdomains too. */
export const KNOWN_DOMAINS: ReadonlyMap<string, CompetitorType> = new Map(
  // Safe: the keys of the record above are competitor types by its type.
  (Object.entries(DOMAINS_BY_TYPE) as [CompetitorType, string][]).flatMap(([type, domains]) =>
    domains
      .trim()
      .split(/\s+/)
      .map((domain): [string, CompetitorType] => [domain, type]),
  ),
);
