/** Writes `dist/custom-elements.json` for editors (Custom Elements Manifest 1.0). */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { namespaces } from '@postern/protocol/namespaces'

const text = (name: string, type: string, description: string) => ({ name, type: { text: type }, description })

export const attributes = [
  text('label', 'string', 'Replaces “Connect wallet” or “Select network”'),
  text('size', "'small' | 'large'", 'Of the button; without it, medium'),
  text('disabled', 'boolean', 'The button cannot be pressed'),
  text('namespace', namespaces.map((name) => `'${name}'`).join(' | '), 'Its account alone; without it, the active one'),
  text('wallet', 'string', 'Connects straight to this wallet: id, rdns or directory id'),
  text('name', 'boolean', 'Shows the account’s name, if it has one, in place of the address'),
  text('avatar', 'boolean', 'Shows the account’s picture, if it has one'),
  text('balance', 'boolean', 'Shows the account’s native balance'),
  text('project-id', 'string', 'With several instances on the page'),
]

export const parts = ['button', 'text', 'balance', 'dot', 'image']

const elements = [
  ['postern-button', 'Connects, then shows the account'],
  ['postern-account-button', 'Shows the account; hidden without one'],
  ['postern-network-button', 'Shows the network, and lets the user switch'],
]

const path = 'dist/elements.js'

export const manifest = {
  schemaVersion: '1.0.0',
  modules: [
    {
      kind: 'javascript-module',
      path,
      declarations: elements.map(([tagName, description]) => ({
        kind: 'class',
        customElement: true,
        name: 'PosternButtonElement',
        tagName,
        description,
        attributes,
        members: [
          { kind: 'field', ...text('label', 'string | null', 'The attribute of the same name') },
          { kind: 'field', ...text('disabled', 'boolean', 'The attribute of the same name') },
        ],
        events: [text('postern-error', 'CustomEvent<unknown>', 'A click failed; `detail` is the error')],
        cssParts: parts.map((name) => ({ name })),
        cssProperties: ['accent', 'radius', 'font'].map((name) => ({ name: `--postern-${name}` })),
      })),
      exports: elements.map(([name]) => ({
        kind: 'custom-element-definition',
        name,
        declaration: { name: 'PosternButtonElement', module: path },
      })),
    },
  ],
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../dist/custom-elements.json', import.meta.url), `${JSON.stringify(manifest, null, 2)}\n`)
