import type { CaipNetworkId, Namespace, WalletUser } from '@postern/protocol'

export const maxFrameReloads = 3

export type EmbeddedState = {
  readonly user: WalletUser | null
  readonly identityToken: string | null
  readonly networks: { readonly [N in Namespace]?: CaipNetworkId }
  /** Results requested in an earlier session are ignored. */
  readonly endedSessions: number
  /** Counts account choices and ended sessions: only the last choice's result is used. */
  readonly accountChoices: number
  readonly frameReloads: number
}

export type EmbeddedEvent =
  | { readonly type: 'userChanged'; readonly user: WalletUser }
  | { readonly type: 'granted' }
  | { readonly type: 'tokenChanged'; readonly token: string }
  | { readonly type: 'networkSwitched'; readonly namespace: Namespace; readonly networkId: CaipNetworkId }
  | {
      readonly type: 'switchFailed'
      readonly namespace: Namespace
      readonly networkId: CaipNetworkId
      readonly previous: CaipNetworkId | undefined
    }
  | { readonly type: 'accountChosen' }
  | { readonly type: 'frameLost' }
  | { readonly type: 'sessionEnded' }

export type EmbeddedCommand =
  | { readonly type: 'showUser'; readonly user: WalletUser | null }
  /** Also reloads the frame. */
  | { readonly type: 'rereadUser'; readonly lost: WalletUser }
  | { readonly type: 'clearStore' }
  | { readonly type: 'disconnectAll' }

type Step = readonly [state: EmbeddedState, commands: readonly EmbeddedCommand[]]

export const initialEmbedded: EmbeddedState = {
  user: null,
  identityToken: null,
  networks: {},
  endedSessions: 0,
  accountChoices: 0,
  frameReloads: 0,
}

/**
 * The session of the embedded wallet, without its frame.
 *
 * 1. The end of a session forgets the user, the token and the networks, also in the store, disconnects every namespace,
 *    and makes pending results stale.
 * 2. A failed switch restores the network before it, unless another switch followed.
 * 3. A frame lost while a user is signed in is reloaded, at most {@link maxFrameReloads} times per connection.
 */
export function reduceEmbedded(state: EmbeddedState, event: EmbeddedEvent): Step {
  switch (event.type) {
    case 'userChanged':
      return [{ ...state, user: event.user }, [{ type: 'showUser', user: event.user }]]
    case 'granted':
      return [{ ...state, frameReloads: 0 }, []]
    case 'tokenChanged':
      return [{ ...state, identityToken: event.token }, []]
    case 'networkSwitched':
      return [{ ...state, networks: { ...state.networks, [event.namespace]: event.networkId } }, []]
    case 'switchFailed':
      return [restoreNetwork(state, event), []]
    case 'accountChosen':
      return [{ ...state, accountChoices: state.accountChoices + 1 }, []]
    case 'frameLost':
      if (state.user === null || state.frameReloads >= maxFrameReloads) return [state, []]
      return [{ ...state, frameReloads: state.frameReloads + 1 }, [{ type: 'rereadUser', lost: state.user }]]
    case 'sessionEnded':
      return [
        {
          ...initialEmbedded,
          endedSessions: state.endedSessions + 1,
          accountChoices: state.accountChoices + 1,
          frameReloads: state.frameReloads,
        },
        [{ type: 'clearStore' }, { type: 'showUser', user: null }, { type: 'disconnectAll' }],
      ]
  }
}

function restoreNetwork(
  state: EmbeddedState,
  { namespace, networkId, previous }: Extract<EmbeddedEvent, { type: 'switchFailed' }>,
): EmbeddedState {
  const { [namespace]: current, ...others } = state.networks
  if (current !== networkId) return state
  return { ...state, networks: previous === undefined ? others : { ...others, [namespace]: previous } }
}
