import type { UniversalProvider } from '@walletconnect/universal-provider'
import type { WalletConnectOptions } from '../options'
import { connectNoMore, connectOnceAtATime } from './relay-connection'
import type { KeyValueStorage } from './storage'

/** `UniversalProvider` supports one session at a time, and a user may have several. */
export type Client = InstanceType<typeof UniversalProvider>['client']
export type Session = ReturnType<Client['session']['get']>

export type ClientOptions = Pick<WalletConnectOptions, 'relay' | 'metadata'> & { readonly storage: KeyValueStorage }

/**
 * Loads the library on first use.
 *
 * 1. It contacts the relay only: no telemetry, no attestation frame, no chain endpoint.
 * 2. The wallet sees the dapp's name and URL, not this frame's.
 * 3. It leaves no globals on the window.
 */
export async function openClient({ relay, metadata, storage }: ClientOptions): Promise<Client> {
  const { UniversalProvider } = await import('@walletconnect/universal-provider')
  const opening = UniversalProvider.init({
    ...relay,
    storage,
    telemetryEnabled: false,
    disableProviderPing: true,
    logger: 'silent',
    // Set below: the library would replace it with the frame's address.
    metadata: { name: '', description: '', url: '', icons: [] },
  })
  forgetGlobals()
  const provider = await opening
  delete provider.session
  const { client } = provider
  connectOnceAtATime(client.core.relayer)
  Object.assign(client.metadata, { ...metadata, icons: [...metadata.icons] })
  // Attestation needs a frame that the page's CSP blocks (verify.walletconnect.org); waiting would cost 5 s.
  client.core.verify.register = async () => ''
  client.core.verify.resolve = () => Promise.reject(new Error('Attestations are not looked up'))
  return client
}

/** Sends nothing after the call. Never rejects. */
export async function closeClient(client: Client): Promise<void> {
  const { heartbeat, relayer } = client.core
  heartbeat.stop()
  heartbeat.events.removeAllListeners()
  connectNoMore(relayer)
  await relayer.transportClose().catch(() => {})
  relayer.events.removeAllListeners()
  for (const event of sessionEvents) client.removeAllListeners(event)
}

const sessionEvents = ['session_delete', 'session_expire', 'session_update', 'session_event'] as const

/** Rule 3: the library would reuse even an ended core. */
function forgetGlobals(): void {
  for (const name of ['_walletConnectCore_', '_walletConnectCore__count', 'downloadLogsBlobInBrowser']) {
    Reflect.deleteProperty(globalThis, name)
  }
}
