import type { PosternOptions } from '@postern/client'

export const stacks = ['HTML', 'React', 'Vue', 'Next'] as const
export type Stack = (typeof stacks)[number]

export type File = { readonly name: string; readonly language: 'html' | 'tsx' | 'ts' | 'vue'; readonly code: string }

/** A gateway's `integrity.json`: its newest release, with hashes by file name. */
export type Build = { readonly version: string; readonly files: Readonly<Record<string, string>> }

/** What a dapp writes for these options. @param build of their gateway; null if unknown. */
export function codeOf(stack: Stack, options: PosternOptions, build: Build | null): readonly File[] {
  switch (stack) {
    case 'HTML':
      return [{ name: 'index.html', language: 'html', code: htmlOf(options, build) }]
    case 'React':
      return [{ name: 'src/App.tsx', language: 'tsx', code: reactOf(options) }]
    case 'Vue':
      return [
        { name: 'src/main.ts', language: 'ts', code: vueOf(options) },
        { name: 'src/App.vue', language: 'vue', code: vueApp },
      ]
    case 'Next':
      return [
        { name: 'app/layout.tsx', language: 'tsx', code: nextOf(options) },
        { name: 'app/page.tsx', language: 'tsx', code: nextPage },
      ]
  }
}

function htmlOf({ host = '', ...options }: PosternOptions, build: Build | null): string {
  const { theme = {}, metadata, features, accounts, ...rest } = options
  const { mode, ...look } = theme
  const lists = Object.entries(rest).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : value])
  const values: Record<string, unknown> = {
    ...Object.fromEntries(lists),
    ...(mode && { theme: mode }),
    ...look,
    ...metadata,
    ...(features && { features: JSON.stringify(features) }),
  }
  const attributes = Object.entries(values).map(
    ([name, value]) => `  data-${kebab(name)}="${escapeHtml(String(value))}"`,
  )
  return [
    ...(accounts ? ['<!-- No attribute for accounts: use the npm package. -->'] : []),
    ...tagOf(host, build),
    `${attributes.join('\n')}></script>`,
    '<postern-button></postern-button>',
  ].join('\n')
}

/**
 * Without its hash, a gateway that is taken over runs its script as the page's own: only a developer's own gateway has
 * such a tag.
 */
function tagOf(host: string, build: Build | null): readonly string[] {
  const origin = escapeHtml(host)
  if (isLocal(host)) return [`<script src="${origin}/postern.js" async`]
  const integrity = build?.files['postern.js']
  const isReleased = build !== null && integrity !== undefined && build.version !== '0.0.0'
  if (isReleased) {
    const { version } = build
    return [
      `<script src="${origin}/postern@${escapeHtml(version)}/postern.js"`,
      `  integrity="${escapeHtml(integrity)}" crossorigin async`,
    ]
  }
  return [
    `<!-- The gateway does not answer with a release. VERSION and hash: ${origin}/integrity.json -->`,
    `<script src="${origin}/postern@VERSION/postern.js"`,
    '  integrity="sha384-…" crossorigin async',
  ]
}

export function isLocal(host: string): boolean {
  return URL.canParse(host) && /^(?:(?:.+\.)?localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(host).hostname)
}

/** Null if the host does not answer, or is a gateway of an earlier version. */
export async function readBuild(host: string, signal: AbortSignal): Promise<Build | null> {
  try {
    const response = await fetch(`${host}/integrity.json`, { signal, credentials: 'omit' })
    const build: Partial<Build> | null = response.ok ? await response.json() : null
    const { version, files } = build ?? {}
    const isBuild = typeof version === 'string' && /^\d[\w.+-]*$/.test(version) && typeof files === 'object'
    const hash = isBuild ? files['postern.js'] : undefined
    return isBuild && typeof hash === 'string' && /^sha384-[\w+/=]+$/.test(hash) ? { version, files } : null
  } catch {
    return null
  }
}

const reactOf = (options: PosternOptions) => `import type { PosternOptions } from '@postern/client'
import { ConnectButton, PosternProvider } from '@postern/client/react'

const options: PosternOptions = ${literal(options)}

export function App() {
  return (
    <PosternProvider options={options}>
      <ConnectButton />
    </PosternProvider>
  )
}`

const vueOf = (options: PosternOptions) => `import type { PosternOptions } from '@postern/client'
import { posternPlugin } from '@postern/client/vue'
import { createApp } from 'vue'
import App from './App.vue'

const options: PosternOptions = ${literal(options)}

createApp(App).use(posternPlugin, { options }).mount('#app')`

const vueApp = `<script setup lang="ts">
import { ConnectButton } from '@postern/client/vue'
</script>

<template>
  <ConnectButton />
</template>`

const nextOf = (options: PosternOptions) => `import type { PosternOptions } from '@postern/client'
import { PosternProvider } from '@postern/client/react'
import type { ReactNode } from 'react'

const options: PosternOptions = ${literal(options)}

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <PosternProvider options={options}>{children}</PosternProvider>
      </body>
    </html>
  )
}`

const nextPage = `import { ConnectButton } from '@postern/client/react'

export default function Page() {
  return <ConnectButton />
}`

/** At most 100 columns wide. */
export function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const deeper = `${indent}  `
  const parts = Object.entries(value).map(([key, each]) => `${isList ? '' : `${key}: `}${literal(each, deeper)}`)
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = parts.length === 0 ? `${open.trim()}${close.trim()}` : `${open}${parts.join(', ')}${close}`
  if (indent !== '' && indent.length + line.length < 80 && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close.trim()}`
}

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
