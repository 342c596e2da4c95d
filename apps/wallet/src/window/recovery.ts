/** Three options with what each protects from and costs, then a new code. */
import type { RecoveryMethod } from '@postern/protocol'
import { type Child, element, icon, icons, listen } from './dom'
import { FlowEnd, type FlowGiven, type FlowResult, type Made, withCode } from './flow'
import { newPasskeyRecovery } from './new-passkey'
import { newPassphraseRecovery } from './new-passphrase'
import { button, form, type Glyph, type View, working } from './screen'

const methods = ['gateway', 'passkey', 'passphrase'] as const
const glyphs: Readonly<Record<RecoveryMethod, Glyph>> = { gateway: 'shield', passkey: 'key', passphrase: 'words' }

/**
 * Runs the change of the recovery method.
 *
 * 1. Nothing changes before the code: after a cancel or a failure the old method remains.
 * 2. Leaving the passkey or passphrase step returns to the choice, with the reason.
 */
export async function recovery(given: FlowGiven): Promise<FlowResult> {
  const { link, screen, say } = given
  const current = link.context.recovery
  if (current === null) throw new FlowEnd(say('recovery.title'), say('recovery.noWallet'))
  let complaint = ''
  for (;;) {
    const method = await screen.ask<RecoveryMethod | null>((answer) => choice(given, current.method, complaint, answer))
    if (method === null) return null
    const made = await make(given, method)
    if ('back' in made) {
      complaint = made.back
      continue
    }
    const changed = await withCode(given, 'recovery', async (code) => {
      screen.show(working(say, say('recovery.title')))
      await link.ask('setRecovery', { recovery: made.recovery, ...code })
    })
    if (changed === null) {
      complaint = ''
      continue
    }
    return { done: say('recovery.done') }
  }
}

function make(given: FlowGiven, method: RecoveryMethod): Promise<Made> {
  switch (method) {
    case 'gateway':
      return Promise.resolve({ recovery: { method } })
    case 'passkey':
      return newPasskeyRecovery(given)
    case 'passphrase':
      return newPassphraseRecovery(given)
  }
}

function choice(
  { say }: FlowGiven,
  current: RecoveryMethod,
  complaint: string,
  answer: (method: RecoveryMethod | null) => void,
): View {
  let chosen: RecoveryMethod | null = null
  const error = element('p', { class: 'error', role: 'alert' }, complaint)
  const card = (method: RecoveryMethod): Child => {
    const input = element('input', { type: 'radio', name: 'method', value: method, class: 'unseen' })
    listen(input, 'change', () => {
      chosen = method
      error.textContent = ''
    })
    const isCurrent = method === current
    return element(
      'label',
      { class: 'choice' },
      input,
      element(
        'span',
        { class: 'choice-head' },
        icon(...icons[glyphs[method]]),
        element('span', { class: 'choice-name' }, say(`recovery.${method}`)),
        isCurrent && element('span', { class: 'tag' }, say('recovery.current')),
      ),
      element('span', { class: 'text' }, say(`recovery.${method}.for`)),
      element('span', { class: 'text caveat' }, say(`recovery.${method}.against`)),
    )
  }
  const group = element(
    'fieldset',
    { class: 'choices' },
    element('legend', {}, say('recovery.text')),
    ...methods.map(card),
  )
  const submit = () => {
    if (chosen === null) error.textContent = say('recovery.choose')
    else answer(chosen)
  }
  const cancel = button(say('cancel'), 'secondary', () => answer(null))
  return { title: say('recovery.title'), body: [form(say('continue'), submit, [group, error], [cancel])] }
}
