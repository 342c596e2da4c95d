import { element } from './dom'
import type { FlowGiven, Made } from './flow'
import { askPasskey, createPasskey, type NewPasskey, PasskeyError, recoveryByPasskey } from './passkey'
import { actions, button, notice } from './screen'

/** Returns to the choice if cancelled, or if it cannot protect a wallet. */
export async function newPasskeyRecovery(given: FlowGiven): Promise<Made> {
  const { link, say, credentials, host } = given
  if (!(await pressed(given, 'passkey.title', 'passkey.text', 'passkey.button'))) return { back: '' }
  try {
    const { user } = link.context
    const name = user?.email ?? user?.userName ?? say('brand')
    const passkey = await createPasskey(credentials, { host, site: say('brand'), user: name })
    const secret = passkey.secret ?? (await usedOnce(given, passkey))
    return secret === null ? { back: say('passkey.cancelled') } : { recovery: await recoveryByPasskey(passkey, secret) }
  } catch (cause) {
    if (!(cause instanceof PasskeyError)) throw cause
    if (cause.failure === 'NO_PRF') await refused(given)
    const words = { CANCELLED: say('passkey.cancelled'), NO_PASSKEYS: say('passkey.none'), NO_PRF: '' }
    return { back: words[cause.failure] }
  }
}

/** Many authenticators return the secret only on use, which needs another click. */
async function usedOnce(given: FlowGiven, { credentialId, salt }: NewPasskey) {
  const { credentials, host } = given
  const isAgreed = await pressed(given, 'passkey.again.title', 'passkey.again.text', 'passkey.again.button')
  return isAgreed ? askPasskey(credentials, { host, credentialId, salt }) : null
}

type Words =
  | readonly ['passkey.title', 'passkey.text', 'passkey.button']
  | readonly ['passkey.again.title', 'passkey.again.text', 'passkey.again.button']

function pressed({ screen, say }: FlowGiven, ...[title, text, yes]: Words): Promise<boolean> {
  return screen.ask<boolean>((answer) => ({
    title: say(title),
    body: [
      notice({ glyph: 'key', text: say(text) }),
      element('p', { class: 'caption' }, say('recovery.passkey.against')),
      actions(
        button(say('back'), 'secondary', () => answer(false)),
        button(say(yes), 'primary', () => answer(true)),
      ),
    ],
  }))
}

function refused({ screen, say }: FlowGiven): Promise<void> {
  return screen.ask<void>((answer) => ({
    title: say('passkey.noPrf.title'),
    body: [
      notice({ glyph: 'caution', tone: 'warn', text: say('passkey.noPrf.text') }),
      actions(button(say('back'), 'primary', () => answer())),
    ],
  }))
}
