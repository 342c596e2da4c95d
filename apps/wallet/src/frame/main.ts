/** Starts the wallet's frame (`sdk.html`). Chains and key code load on first use. */

import { systemClock } from '@postern/base/clock'
import { onceLoaded } from '@postern/base/once-loaded'
import type { WalletNamespace } from '@postern/protocol/namespaces'
import { deviceName } from '../account/device-name'
import { randomSecret } from '../random'
import { createLadder } from '../storage/ladder'
import { browserStorageAccess } from '../storage/storage-access'
import { createTabs } from '../storage/tabs'
import { connectToModal } from './ancestors/link'
import { createDappOrigin, readAncestors } from './ancestors/origin'
import { createTextSize } from './approvals/text-size'
import { startFrame } from './frame'
import { readSettings } from './page'

const version = '1'

type Change = (kept: unknown) => unknown

function start(): void {
  const { page, networkId, report } = readSettings(document, location.search, reportError)
  const ancestors = readAncestors(location.ancestorOrigins, page)
  if (ancestors === 'refused') return
  const origin = createDappOrigin(ancestors, page)
  const { projectId } = page
  const ladder = createLadder({
    projectId,
    randomSecret,
    crypto,
    clock: systemClock(),
    indexedDB: () => indexedDB,
    storageAccess: browserStorageAccess(document, navigator),
  })
  const { load: chains } = onceLoaded(async () => {
    const notes = (namespace: WalletNamespace) => ({
      update: async (change: Change) => (await ladder.current()).store.notes(namespace, change),
    })
    return (await import('../chains/index')).createChains({ notes })
  })

  connectToModal({
    window,
    modalOrigin: page.modalOrigin,
    onConnected(port) {
      const end = startFrame(port, {
        page,
        networkId,
        origin,
        version,
        window,
        randomSecret,
        clock: systemClock(),
        fetch: (...request) => fetch(...request),
        ownOrigin: location.origin,
        ladder,
        tabs: createTabs({
          name: `postern-wallet/${projectId}`,
          locks: navigator.locks,
          openChannel: (name) => new BroadcastChannel(name),
        }),
        deviceName: () => deviceName(navigator.userAgent, origin.get()),
        startSigner: async () => (await import('../keys/index')).startSigner(),
        solveChallenge: async (...given) => (await import('./challenge/solve-challenge')).solveInWorker(...given),
        loadChain: async (namespace) => (await chains())(namespace),
        loadSmartAccounts: async () => (await import('../chains/index')).loadSmartAccounts(),
        loadBitcoinAddress: async () => (await import('@postern/chains/bip122/segwit-address')).segwitAddressOf,
        loadDescribe: async () => (await import('../intent/describe')).describeApproval,
        loadDrawing: async (drawn) => (await import('../approval/drawing')).createDrawing(document, drawn),
        loadWorth: () => import('../approval/place/worth'),
        textSize: createTextSize(window),
        openPopup: (url) => window.open(url, '_blank', 'popup,width=480,height=720'),
        reload() {
          // Sends the response first.
          setTimeout(() => {
            end()
            location.reload()
          }, 0)
        },
        report,
      })
    },
  })
}

start()
