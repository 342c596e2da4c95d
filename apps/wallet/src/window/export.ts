/**
 * Key export: shows the user's recovery phrase and keys, on this screen only.
 *
 * 1. Nothing is rebuilt before the user has read the warning and entered a new code.
 * 2. Each secret is hidden until the user asks for it, and hidden again when the window loses focus.
 * 3. The key is rebuilt in this window's own worker, which then ends; nothing of it goes back to the frame.
 */
import type { ExportedKeys } from '../keys/export'
import { element, listen } from './dom'
import { FlowEnd, type FlowGiven, type FlowResult, withCode } from './flow'
import { actions, button, notice, type View, warning, working } from './screen'

export async function exportKeys(given: FlowGiven): Promise<FlowResult> {
  const { link, screen, say, startSigner } = given
  if (link.context.addresses === null) throw new FlowEnd(say('export.title'), say('export.none'))
  if (!(await warned(given))) return null
  const source = await withCode(given, 'export', (code) => link.ask('exportSource', code))
  if (source === null) return null
  screen.show(working(say, say('export.shown.title')))
  const signer = await startSigner()
  const keys = await signer.worker.exportKeys(source.value).finally(signer.end)
  await shown(given, keys)
  return { done: say('done') }
}

function warned({ screen, say }: FlowGiven): Promise<boolean> {
  const rules = (['who', 'where', 'after'] as const).map((rule) => element('li', {}, say(`export.rule.${rule}`)))
  return screen.ask<boolean>((answer) => ({
    title: say('export.title'),
    body: [
      notice({ glyph: 'caution', tone: 'warn', title: say('export.warning') }),
      element('ul', { class: 'rules' }, ...rules),
      actions(
        button(say('cancel'), 'secondary', () => answer(false)),
        button(say('export.button'), 'primary', () => answer(true)),
      ),
    ],
  }))
}

type Secret = { readonly node: HTMLElement; readonly hide: () => void }

async function shown(given: FlowGiven, keys: ExportedKeys): Promise<void> {
  const { screen, say, onLeave } = given
  const secrets = (['mnemonic', 'eip155', 'solana', 'bip122'] as const).map((kind) => secret(given, kind, keys[kind]))
  const hideAll = () => {
    for (const { hide } of secrets) hide()
  }
  const stop = onLeave(hideAll)
  await screen.ask<void>(
    (answer): View => ({
      title: say('export.shown.title'),
      body: [
        warning(say('export.warning')),
        element('p', { class: 'caption' }, say('export.shown.text')),
        ...secrets.map(({ node }) => node),
        actions(button(say('export.finish'), 'primary', () => answer())),
      ],
    }),
  )
  hideAll()
  stop()
}

function secret({ screen, say, copy }: FlowGiven, kind: keyof ExportedKeys, value: string): Secret {
  const what = say(`export.${kind}`)
  const output = element('output', { class: 'secret', 'data-kind': kind, 'aria-live': 'off' })
  const toggle = element('button', { type: 'button', class: 'button text', 'aria-expanded': 'false' })
  const note = element('p', { class: 'caption', role: 'status' })
  let isShown = false

  function set(next: boolean): void {
    isShown = next
    output.replaceChildren(...(next ? parts(kind, value) : ['•'.repeat(24)]))
    output.toggleAttribute('data-hidden', !next)
    toggle.setAttribute('aria-expanded', String(next))
    toggle.textContent = say(next ? 'hide' : 'show')
    toggle.setAttribute('aria-label', say(next ? 'export.hide' : 'export.show', { what }))
  }
  listen(toggle, 'click', () => set(!isShown))
  const copying = button(say('copy'), 'text', () => {
    copy(value).then(
      () => {
        note.textContent = say('export.copied')
        screen.announce(say('export.copied'))
      },
      () => {
        note.textContent = say('export.copyFailed')
      },
    )
  })
  copying.setAttribute('aria-label', say('export.copy', { what }))
  set(false)
  const node = element(
    'section',
    { class: 'exported' },
    element('h2', {}, what),
    element('p', { class: 'caption' }, say(`export.${kind}.hint`)),
    output,
    element('div', { class: 'exported-actions' }, toggle, copying),
    note,
  )
  return { node, hide: () => set(false) }
}

/** Numbered by the style sheet, so that a selection has only the words. */
function parts(kind: keyof ExportedKeys, value: string): readonly (Node | string)[] {
  return kind === 'mnemonic'
    ? value.split(' ').flatMap((word) => [element('span', { class: 'word' }, word), ' '])
    : [value]
}
