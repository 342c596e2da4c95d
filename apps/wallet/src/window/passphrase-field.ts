import { element, listen } from './dom'
import { type Field, field } from './screen'
import type { Say } from './text'

export function passphraseField(say: Say, label: string, autocomplete: 'current-password' | 'new-password'): Field {
  const toggle = element('button', { type: 'button', class: 'button text', 'aria-pressed': 'false' }, say('show'))
  const made = field(
    label,
    {
      type: 'password',
      autocomplete,
      autocapitalize: 'none',
      autocorrect: 'off',
      spellcheck: 'false',
      maxlength: '256',
    },
    toggle,
  )
  listen(toggle, 'click', () => {
    const isShown = made.input.type === 'text'
    made.input.type = isShown ? 'password' : 'text'
    toggle.setAttribute('aria-pressed', String(!isShown))
    toggle.textContent = say(isShown ? 'show' : 'hide')
  })
  return made
}
