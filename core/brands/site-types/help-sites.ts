/** Hosts of help centres, of developers' communities and of what they publish. */
export const HELP_SITES = `
answers.microsoft.com wikipedia: Microsoft
applevis.com site: community of blind users of Apple products
bitbucket.org wikipedia: Bitbucket
codepen.io wikipedia: CodePen
codeproject.com wikipedia: Code Project
discourse.org wikipedia: Discourse (software)
discussions.apple.com wikipedia: Apple Inc.
freshdesk.com wikipedia: Freshworks
gitbook.io site: host of product documentation
github.com wikipedia: GitHub
github.io wikipedia: GitHub
githubusercontent.com wikipedia: GitHub
gitlab.com wikipedia: GitLab
hackster.io wikipedia: Hackster.io
helpscoutdocs.com site: host of help centres
huggingface.co wikipedia: Hugging Face
ifixit.com wikipedia: IFixit
instructables.com wikipedia: Instructables
intercom.help site: host of help centres
kaggle.com wikipedia: Kaggle
learn.microsoft.com wikipedia: Microsoft Learn
meetup.com wikipedia: Meetup
printables.com wikipedia: Prusa Research
readthedocs.io wikipedia: Read the Docs
support.apple.com wikipedia: Apple Inc.
support.google.com wikipedia: Google
support.microsoft.com wikipedia: Microsoft
techcommunity.microsoft.com wikipedia: Microsoft
thingiverse.com wikipedia: Thingiverse
zendesk.com wikipedia: Zendesk
`;
