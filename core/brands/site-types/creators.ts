/** What single people publish: social networks, hosts of blogs and videos, and blogs of one named person. */
export const CREATORS = `
500px.com wikipedia: 500px
ameblo.jp wikipedia: Ameba (website)
austinmann.com site: photographer's own blog
barrazacarlos.com site: Carlos Barraza's own blog
beehiiv.com wikipedia: Beehiiv
behance.net wikipedia: Behance
bilibili.com wikipedia: Bilibili
blog.naver.com wikipedia: Naver
blogspot.com wikipedia: Blogger (service)
bsky.app wikipedia: Bluesky
californiathroughmylens.com site: Josh McNair's travel blog
cnblogs.com site: developers' blogs
csdn.net wikipedia: CSDN
cyberguy.com site: technology advice by Kurt Knutsson
dailymotion.com wikipedia: Dailymotion
daringfireball.net wikipedia: Daring Fireball
dellenny.com site: a consultant's own blog
deviantart.com wikipedia: DeviantArt
douyin.com wikipedia: Douyin
dribbble.com wikipedia: Dribbble
facebook.com wikipedia: Facebook
feisworld.com site: Fei Wu's podcast and blog
flickr.com wikipedia: Flickr
ghost.io wikipedia: Ghost (blogging platform)
gumroad.com wikipedia: Gumroad
habr.com wikipedia: Habr
hashnode.dev site: host of developers' blogs
hatenablog.com wikipedia: Hatena (company)
instagram.com wikipedia: Instagram
issuu.com wikipedia: Issuu
jacobsquick.tips site: Jacob's videos of tips
jianshu.com wikipedia: Jianshu
juejin.cn site: developers' posts
jvn.photo site: photographer's own blog
kenrockwell.com wikipedia: Ken Rockwell
kick.com wikipedia: Kick (service)
ko-fi.com wikipedia: Ko-fi
krebsonsecurity.com wikipedia: Brian Krebs
kuaishou.com wikipedia: Kuaishou
likewhereyouregoing.com site: travel blog
linkedin.com wikipedia: LinkedIn
livejournal.com wikipedia: LiveJournal
lukaesenko.com site: photographer's own blog
mastodon.social wikipedia: Mastodon (social network)
medium.com wikipedia: Medium (website)
mkbhd.com wikipedia: Marques Brownlee
mzh.ren site: a developer's own blog
nicovideo.jp wikipedia: Niconico
nomadicmatt.com wikipedia: Matthew Kepnes
note.com wikipedia: Note (website)
ok.ru wikipedia: Odnoklassniki
over-blog.com wikipedia: OverBlog
patreon.com wikipedia: Patreon
pikabu.ru wikipedia: Pikabu
pinterest.com wikipedia: Pinterest
podcasts.apple.com wikipedia: Apple Podcasts
qiita.com wikipedia: Qiita
rumble.com wikipedia: Rumble (company)
samanthabrandon.com site: Samantha Brandon's own blog
scribd.com wikipedia: Scribd
simonwillison.net wikipedia: Simon Willison
slideshare.net wikipedia: SlideShare
snapchat.com wikipedia: Snapchat
soundcloud.com wikipedia: SoundCloud
stratechery.com wikipedia: Ben Thompson (analyst)
substack.com wikipedia: Substack
syedgakbar.com site: Syed Ghulam Akbar's own site
tayloramarel.com site: Taylor Amarel's own blog
threads.com wikipedia: Threads (social network)
threads.net wikipedia: Threads (social network)
tiktok.com wikipedia: TikTok
tim.blog wikipedia: Tim Ferriss
tistory.com wikipedia: Tistory
troyhunt.com wikipedia: Troy Hunt
tumblr.com wikipedia: Tumblr
twitch.tv wikipedia: Twitch (service)
twitter.com wikipedia: Twitter
typepad.com wikipedia: TypePad
vimeo.com wikipedia: Vimeo
vk.com wikipedia: VK (service)
weebly.com wikipedia: Weebly
weibo.com wikipedia: Weibo
weixin.qq.com wikipedia: WeChat
wixsite.com wikipedia: Wix.com
wordpress.com wikipedia: WordPress.com
x.com wikipedia: Twitter
xiaohongshu.com wikipedia: Xiaohongshu
xing.com wikipedia: XING
youtu.be wikipedia: YouTube
youtube.com wikipedia: YouTube
zenn.dev site: developers' posts
`;
