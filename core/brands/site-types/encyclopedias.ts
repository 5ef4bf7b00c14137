/** Encyclopedias, wikis, dictionaries and open reference works. */
export const ENCYCLOPEDIAS = `
archive.org wikipedia: Internet Archive
baike.baidu.com wikipedia: Baidu Baike
baike.com wikipedia: Baike.com
britannica.com wikipedia: Encyclopædia Britannica
citizendium.org wikipedia: Citizendium
collinsdictionary.com wikipedia: Collins English Dictionary
crunchbase.com wikipedia: Crunchbase
den-store-danske.dk wikipedia: Den Store Danske Encyklopædi
dictionary.com wikipedia: Dictionary.com
discogs.com wikipedia: Discogs
duden.de wikipedia: Duden
encyclopedia.com wikipedia: Encyclopedia.com
everipedia.org wikipedia: Everipedia
fandom.com wikipedia: Fandom (website)
grokipedia.com wikipedia: Grokipedia
howstuffworks.com wikipedia: HowStuffWorks
imdb.com wikipedia: IMDb
infogalactic.com wikipedia: Infogalactic
investopedia.com wikipedia: Investopedia
larousse.fr wikipedia: Éditions Larousse
liquipedia.net site: wiki of esports
merriam-webster.com wikipedia: Merriam-Webster
musicbrainz.org wikipedia: MusicBrainz
namu.wiki wikipedia: Namuwiki
openstreetmap.org wikipedia: OpenStreetMap
pcgamingwiki.com wikipedia: PCGamingWiki
rationalwiki.org wikipedia: RationalWiki
scholarpedia.org wikipedia: Scholarpedia
snl.no wikipedia: Store norske leksikon
thefreedictionary.com wikipedia: TheFreeDictionary.com
treccani.it wikipedia: Treccani
universalis.fr wikipedia: Encyclopædia Universalis
urbandictionary.com wikipedia: Urban Dictionary
wikibooks.org wikipedia: Wikibooks
wikidata.org wikipedia: Wikidata
wikihow.com wikipedia: WikiHow
wikimedia.org wikipedia: Wikimedia Foundation
wikipedia.org wikipedia: Wikipedia
wikiquote.org wikipedia: Wikiquote
wikivoyage.org wikipedia: Wikivoyage
wiktionary.org wikipedia: Wiktionary
wordreference.com wikipedia: WordReference.com
`;
