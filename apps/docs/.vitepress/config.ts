import { defineConfig } from 'vitepress'
import { repositoryLinks, slugOf } from '../src/markdown'
import { navigation, sidebar } from '../src/pages'
import { writeTextFiles } from '../src/text-files'

/** The site of `docs/`, the same pages that the repository shows. */
export default defineConfig({
  title: 'Postern',
  description: 'The connect-wallet layer for web apps',
  lang: 'en',
  srcDir: '../../docs',
  outDir: 'dist',
  cacheDir: '../../.postern/docs',
  cleanUrls: true,
  rewrites: {
    'README.md': 'index.md',
    'internals/decisions/README.md': 'internals/decisions/index.md',
  },
  head: [['meta', { name: 'theme-color', content: '#0d7565' }]],
  markdown: {
    // The pages have no HTML; text such as `<id>` is text.
    html: false,
    // Words in braces are placeholders, not attributes.
    attrs: { disable: true },
    anchor: { slugify: slugOf },
    config: repositoryLinks,
  },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/postern-wallet/postern' }],
    editLink: { pattern: 'https://github.com/postern-wallet/postern/edit/main/docs/:path' },
  },
  buildEnd: ({ outDir, srcDir }) => writeTextFiles(srcDir, outDir),
})
