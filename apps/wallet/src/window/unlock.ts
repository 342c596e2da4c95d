/** On a new device, where the recovery share is sealed to the passkey or passphrase. */
import type { Recovery } from '@postern/protocol'
import { isKeyFailure } from '../keys/failure'
import { element } from './dom'
import { type FlowEnd as End, FlowEnd, type FlowGiven, type FlowResult } from './flow'
import { openByPasskey, PasskeyError } from './passkey'
import { openByPassphrase } from './passphrase'
import { passphraseField } from './passphrase-field'
import { actions, button, form, notice, progressing, working } from './screen'

/**
 * Runs the unlock.
 *
 * 1. A wrong passphrase or passkey only costs a retry.
 * 2. The frame gets a non-exportable key; the passphrase and the passkey's secret stay here.
 */
export async function unlock(given: FlowGiven): Promise<FlowResult> {
  const { link, screen, say } = given
  const { recovery } = link.context
  if (recovery === null || recovery.method === 'gateway') throw nothingToUnlock(given)
  const recoveryKey =
    recovery.method === 'passkey' ? await byPasskey(given, recovery) : await byPassphrase(given, recovery)
  if (recoveryKey === null) return null
  screen.show(working(say, say('unlock.title')))
  await link.ask('unlock', { recoveryKey })
  return { done: say('unlock.done') }
}

function nothingToUnlock({ say }: FlowGiven): End {
  return new FlowEnd(say('unlock.title'), say('unlock.none'))
}

type Of<M extends Recovery['method']> = Extract<Recovery, { method: M }>

async function byPasskey(
  { screen, say, credentials, host }: FlowGiven,
  recovery: Of<'passkey'>,
): Promise<CryptoKey | null> {
  let complaint = ''
  for (;;) {
    const isAgreed = await screen.ask<boolean>((answer) => ({
      title: say('unlock.title'),
      body: [
        notice({ glyph: 'key', text: say('unlock.passkey.text') }),
        complaint !== '' && element('p', { class: 'error', role: 'alert' }, complaint),
        actions(
          button(say('cancel'), 'secondary', () => answer(false)),
          button(say('unlock.passkey.button'), 'primary', () => answer(true)),
        ),
      ],
    }))
    if (!isAgreed) return null
    try {
      return await openByPasskey(credentials, recovery, host)
    } catch (cause) {
      if (isKeyFailure(cause)) complaint = say('unlock.passkey.wrong')
      else if (!(cause instanceof PasskeyError)) throw cause
      else if (cause.failure === 'NO_PASSKEYS') complaint = say('passkey.none')
      else complaint = say(cause.failure === 'NO_PRF' ? 'unlock.passkey.wrong' : 'passkey.cancelled')
    }
  }
}

async function byPassphrase(
  { screen, say, stretch }: FlowGiven,
  recovery: Of<'passphrase'>,
): Promise<CryptoKey | null> {
  let complaint = ''
  for (;;) {
    const passphrase = await screen.ask<string | null>((answer) => {
      const { node, input, complain } = passphraseField(say, say('passphrase.label'), 'current-password')
      complain(complaint)
      const submit = () => input.value !== '' && answer(input.value)
      const cancel = button(say('cancel'), 'secondary', () => answer(null))
      const body = [
        notice({ glyph: 'key', text: say('unlock.passphrase.text') }),
        form(say('unlock.button'), submit, [node], [cancel]),
      ]
      return { title: say('unlock.title'), body, focus: input }
    })
    if (passphrase === null) return null
    const { view, set } = progressing(say('unlock.title'), say('stretching.text'))
    screen.show(view)
    try {
      return await openByPassphrase(recovery, passphrase, stretch, set)
    } catch (cause) {
      if (!isKeyFailure(cause)) throw cause
      complaint = say('unlock.wrong')
    }
  }
}
