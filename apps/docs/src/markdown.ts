import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

const repository = 'https://github.com/postern-wallet/postern'

/** The anchor of a heading, as GitHub makes it: links work on the site and in the repository. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** A path that leaves `docs/` is a file of the repository. */
export function targetOf(page: string, href: string): string {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const target = posix.join('docs', posix.dirname(page), file)
  if (target.startsWith('docs/')) return href
  return `${repository}/blob/main/${target}${anchor === undefined ? '' : `#${anchor}`}`
}

export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', targetOf(env.relativePath ?? '', href))
    }
  })
}
