import { isOpenLink, isStore, isWalletRequest } from '../../link/guards'
import type { LinkOptions } from '../../link/link'
import { requestFailure } from '../../shared/failures'
import type { SignInPlugin } from '../sign-in/plugin'
import { openLink } from './open-link'
import type { Relay } from './relay'

export type ServeOptions = {
  readonly window: Parameters<typeof openLink>[0]
  readonly relay: Pick<Relay, 'request'>
  readonly signIn: SignInPlugin
  /** `null` deletes the value. */
  readonly store: (key: string, value: string | null) => void
}

export function createServe({ window, relay, signIn, store }: ServeOptions): LinkOptions['serve'] {
  return async (method, params, signal) => {
    switch (method) {
      case 'walletRequest':
        if (!isWalletRequest(params)) break
        return relay.request(params, signal)
      case 'openLink':
        if (!isOpenLink(params)) break
        openLink(window, params)
        return null
      case 'store':
        if (!isStore(params)) break
        store(params.key, params.value)
        return null
      default: {
        const answer = signIn(method, params)
        if (answer === undefined) throw requestFailure('METHOD_NOT_FOUND')
        return answer
      }
    }
    throw requestFailure('INVALID_PARAMS')
  }
}
