import type { UniversalProvider } from '@walletconnect/universal-provider'
import type { WalletConnectOptions } from './contract'
import type { KeyValueStorage } from './storage'

/** The library's client: `UniversalProvider` itself knows one session at a time, and a visitor may have several. */
export type Client = InstanceType<typeof UniversalProvider>['client']
export type Session = ReturnType<Client['session']['get']>

export type ClientOptions = Pick<WalletConnectOptions, 'relay' | 'metadata'> & { readonly storage: KeyValueStorage }

/**
 * The library, loaded when it is first used, and kept to what is needed of it.
 *
 * 1. The relay is all that it contacts: no telemetry, no attestation frame, no endpoint of a chain.
 * 2. The wallet is told the dapp's own name and address, not those of this frame.
 * 3. It leaves nothing on the window: a later instance is a new one.
 */
export async function openClient({ relay, metadata, storage }: ClientOptions): Promise<Client> {
  const { UniversalProvider } = await import('@walletconnect/universal-provider')
  const opening = UniversalProvider.init({
    ...relay,
    storage,
    telemetryEnabled: false,
    disableProviderPing: true,
    logger: 'silent',
    // The library compares this with the address of the frame and takes the frame's: it is set below.
    metadata: { name: '', description: '', url: '', icons: [] },
  })
  forgetGlobals()
  const provider = await opening
  delete provider.session
  const { client } = provider
  Object.assign(client.metadata, { ...metadata, icons: [...metadata.icons] })
  // The attestation is made in a frame of verify.walletconnect.org, which the page's policy refuses: it would be waited for 5 s.
  client.core.verify.register = async () => ''
  client.core.verify.resolve = () => Promise.reject(new Error('Attestations are not looked up'))
  return client
}

/** Ends the socket, the heartbeat and every listener. Never rejects. Nothing is sent any more from the moment of the call. */
export async function closeClient(client: Client): Promise<void> {
  const { heartbeat, relayer } = client.core
  heartbeat.stop()
  heartbeat.events.removeAllListeners()
  await relayer.transportClose().catch(() => {})
  relayer.events.removeAllListeners()
  for (const event of sessionEvents) client.removeAllListeners(event)
}

/** What is listened for (client-holder.ts). */
const sessionEvents = ['session_delete', 'session_expire', 'session_update', 'session_event'] as const

/** 3. The library finds its core again by these names, an ended one too. */
function forgetGlobals(): void {
  for (const name of ['_walletConnectCore_', '_walletConnectCore__count', 'downloadLogsBlobInBrowser']) {
    Reflect.deleteProperty(globalThis, name)
  }
}
