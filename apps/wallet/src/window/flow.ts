import type { ApprovalRequest, CaipNetworkId, RecoveryRule } from '@postern/protocol'
import type { WatchArming } from '../approval/arming/arming'
import type { ApprovalFacts } from '../approval/description/describe-request'
import type { Intent } from '../intent/intent'
import type { Signer } from '../keys/index'
import type { WalletRecord } from '../window-messages'
import type { FrameLink } from './frame-link'
import type { Machine } from './machine'
import type { Credentials } from './passkey'
import type { Stretch } from './passphrase/passphrase'
import type { Say, TextKey } from './say'

/** First-party storage of the wallet's origin. */
export type WindowStore = {
  readRecord(): Promise<WalletRecord | null>
  writeRecord(record: WalletRecord): Promise<void>
}

export type WindowTools = {
  readonly say: Say
  /** The passkeys' relying party. */
  readonly host: string
  readonly credentials: Credentials
  /** Passkeys then come first. */
  readonly hasPasskey: boolean
  readonly rule: RecoveryRule
  readonly stretch: Stretch
  /** Resolves with null if the browser denies storage. */
  readonly openStore: () => Promise<WindowStore | null>
  readonly startSigner: () => Promise<Signer>
  readonly copy: (text: string) => Promise<void>
  /** Calls `onIntent` again after the chain's response. */
  readonly describe: (
    request: ApprovalRequest,
    facts: ApprovalFacts,
    signal: AbortSignal,
    onIntent: (intent: Intent) => void,
  ) => Promise<void>
  readonly networkOf: (networkId: CaipNetworkId) => { readonly name: string; readonly imageUrl?: string | undefined }
  readonly watch: WatchArming
  /** Returns the unsubscribe. */
  readonly onLeave: (listener: () => void) => () => void
}

export type FlowGiven = WindowTools & {
  readonly link: FrameLink
  readonly finish: (sentence: string) => void
  readonly cancel: () => void
  readonly fail: (cause: unknown) => void
}

export type Flow<State, Event, Actions> = Machine<FlowGiven, State, Event, Actions>

export class FlowEnd extends Error {
  override readonly name = 'FlowEnd'
  readonly title: TextKey
  readonly text: TextKey
  constructor(title: TextKey, text: TextKey) {
    super(title)
    this.title = title
    this.text = text
  }
}

export function runEffect({ fail }: Pick<FlowGiven, 'fail'>, effect: () => Promise<void>): void {
  effect().catch(fail)
}
