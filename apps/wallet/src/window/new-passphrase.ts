import { element, listen } from './dom'
import type { FlowGiven, Made } from './flow'
import { newPassphrase, shortestPassphrase, strengthOf } from './passphrase'
import { passphraseField } from './passphrase-field'
import { button, form, progressing, type View, warning } from './screen'

export async function newPassphraseRecovery(given: FlowGiven): Promise<Made> {
  const { screen, say, stretch } = given
  const passphrase = await screen.ask<string | null>((answer) => passphraseView(given, answer))
  if (passphrase === null) return { back: '' }
  const { view, set } = progressing(say('stretching'), say('stretching.text'))
  screen.show(view)
  return { recovery: await newPassphrase(passphrase, stretch, set) }
}

function passphraseView({ say }: FlowGiven, answer: (passphrase: string | null) => void): View {
  const first = passphraseField(say, say('passphrase.label'), 'new-password')
  const second = passphraseField(say, say('passphrase.repeat'), 'new-password')
  const hint = element('p', { class: 'strength', 'aria-live': 'polite' })
  listen(first.input, 'input', () => {
    const strength = strengthOf(first.input.value)
    hint.dataset.strength = strength.kind
    hint.textContent =
      first.input.value === ''
        ? ''
        : strength.kind === 'short'
          ? say('passphrase.short', { count: strength.missing })
          : say(`passphrase.${strength.kind}`)
  })
  const submit = () => {
    const strength = strengthOf(first.input.value)
    // Once, next to the field.
    if (strength.kind === 'short' || strength.kind === 'weak') hint.textContent = ''
    if (strength.kind === 'short') refuse(first, say('passphrase.short', { count: strength.missing }))
    else if (strength.kind === 'weak') refuse(first, say('passphrase.tooWeak'))
    else if (second.input.value !== first.input.value) refuse(second, say('passphrase.differ'))
    else answer(first.input.value)
  }
  const back = button(say('back'), 'secondary', () => answer(null))
  const text = element('p', { class: 'text' }, say('passphrase.text', { count: shortestPassphrase }))
  const body = [
    text,
    warning(say('passphrase.warning')),
    form(say('continue'), submit, [first.node, hint, second.node], [back]),
  ]
  return { title: say('passphrase.title'), body, focus: first.input }
}

function refuse({ complain, input }: ReturnType<typeof passphraseField>, text: string): void {
  complain(text)
  input.focus()
}
