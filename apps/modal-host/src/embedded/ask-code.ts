import type { WalletFrameNotice, WalletFramePayload, WalletFrameSuccess } from '@postern/protocol'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { SnapshotStore } from '../snapshot/store'

type CodeRequest =
  | 'CONNECT_OTP'
  | 'SOCIAL_CODE'
  | 'UPDATE_EMAIL_PRIMARY_OTP'
  | 'UPDATE_EMAIL_SECONDARY_OTP'
  | 'FORGET_ENDED_WALLET'
  | 'REVOKE_DEVICE'
  | 'DELETE_ACCOUNT'

/** Resolves once the user has typed the code, or pressed, in the frame, and the gateway has accepted it. */
export type AskCode = <N extends CodeRequest>(
  name: N,
  payload: WalletFramePayload<N>,
  signal: AbortSignal,
) => Promise<WalletFrameSuccess<N>>

/** The wallet's frame takes a code or a press, which the modal never sees. `codeEntry` is set meanwhile. */
export function createAskCode(options: {
  readonly store: SnapshotStore
  readonly ask: AskWallet
  readonly randomId: () => string
}): { readonly askCode: AskCode; onNotice(notice: WalletFrameNotice): void } {
  const { store, ask, randomId } = options
  const isOpen = (id: string) => store.getState().codeEntry?.id === id
  return {
    async askCode(name, payload, signal) {
      const id = randomId()
      store.setState({ codeEntry: { id, height: null } })
      try {
        return await ask(name, payload, { id, signal })
      } finally {
        if (isOpen(id)) store.setState({ codeEntry: null })
      }
    },
    onNotice(notice) {
      if (notice.name !== 'SCREEN_HEIGHT' || !isOpen(notice.id)) return
      store.setState({ codeEntry: { id: notice.id, height: notice.height } })
    },
  }
}
