import type { PosternOptions } from '@postern/client'

export const stacks = ['HTML', 'React', 'Vue', 'Next'] as const
export type Stack = (typeof stacks)[number]

export type File = { readonly name: string; readonly language: 'html' | 'tsx' | 'ts' | 'vue'; readonly code: string }

/** What a dapp writes to have these options. */
export function codeOf(stack: Stack, options: PosternOptions): readonly File[] {
  switch (stack) {
    case 'HTML':
      return [{ name: 'index.html', language: 'html', code: htmlOf(options) }]
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

function htmlOf({ host = '', ...options }: PosternOptions): string {
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
    `<script src="${escapeHtml(host)}/postern.js" async`,
    `${attributes.join('\n')}></script>`,
    '<postern-button></postern-button>',
  ].join('\n')
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

/** As a formatter writes it, at most 100 columns wide. */
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
