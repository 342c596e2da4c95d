/** A scenario of the wallet's own window: `?story=window-keep&theme=dark&locale=de`. Only frame and keys are fake. */
import '@postern/ui/theme.css'
import '../../wallet/src/window/page.css'
import './window.css'
import type { Recovery } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { createRoot } from 'react-dom/client'
import { WindowApp } from '../../wallet/src/window/app'
import type { WindowTools } from '../../wallet/src/window/flow'
import type { Found } from '../../wallet/src/window/frame-link'
import { loadText } from '../../wallet/src/window/text'
import { applyLimits } from '../../wallet/src/window/theme'
import { type WalletRecord, type WindowAskName, windowAsks } from '../../wallet/src/window-messages'
import { type WindowStory, windowStories } from './stories/window'

const query = new URLSearchParams(location.search)
const story = windowStories[query.get('story') ?? '']
const root = document.getElementById('wallet-window')
if (story === undefined || root === null) throw new Error('There is no such story')

const { language, say } = await loadText([query.get('locale') ?? 'en'])
document.documentElement.lang = language
document.documentElement.dataset['theme'] = query.get('theme') === 'dark' ? 'dark' : 'light'
applyLimits(document.documentElement)
const never = () => new Promise<never>(() => undefined)
const unused = () => Promise.reject(new Error('A picture signs nothing'))

const user = { id: '1', email: 'ada@example.org', userName: null, provider: 'email' } as const
const addresses = {
  eip155: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  solana: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  bip122: `02${'79'.repeat(32)}`,
}
const key = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify'])
const record: WalletRecord = {
  deviceToken: 'D'.repeat(43),
  session: { token: 'S'.repeat(43), key, expiresAt: 0, user },
  shares: [],
  preferences: {},
}
const sealed = { publicKey: 'AA', wrappedKey: 'AA', salt: 'AA' }
const recoveries: Readonly<Record<Recovery['method'], Recovery>> = {
  gateway: { method: 'gateway' },
  passkey: { method: 'passkey', ...sealed, credentialId: 'AA' },
  passphrase: { method: 'passphrase', ...sealed, memory: 65_536, passes: 3, lanes: 1 },
}

createRoot(root).render(
  <WindowApp
    find={() => find(story)}
    found={() => undefined}
    tools={toolsOf(story)}
    wait={never}
    close={() => undefined}
  />,
)

async function find(told: WindowStory): Promise<Found> {
  const {
    found,
    purpose = 'export',
    recovery = 'gateway',
    signedIn = true,
    refuses,
    approval = null,
    emailStep = 'primary',
  } = told
  if (found === 'looking') return never()
  if (found !== undefined) return { failure: found }
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
  const device = { key, iv: new Uint8Array(12), bytes: new Uint8Array(48) }
  const answers: Readonly<Partial<Record<WindowAskName, unknown>>> = {
    confirm: { needsCode: told.needsNoCode !== true },
    exportSource: { device, authShare: 'AA', addresses },
    takeRecord: record,
    approvalFacts: { own: [], known: { recipients: [], contracts: [] } },
    giveRecord: { signedIn: true },
    emailChange: { email: user.email, newEmail: 'ada@saltmarsh.example', step: emailStep },
    emailSecondary: { undoUntil: Date.UTC(2026, 11, 6, 12), isProven: told.isNewDevice !== true },
  }
  return {
    link: {
      context: {
        kind: 'context',
        purpose,
        projectName: 'Saltmarsh',
        origin: 'https://app.saltmarsh.example',
        user: signedIn ? user : null,
        storage: 'frame',
        recovery: purpose === 'create' ? null : recoveries[recovery],
        addresses,
      },
      end: () => undefined,
      onApproval(listener) {
        const { request } = approval ?? {}
        listener(request === undefined ? null : { request, queued: 2, asker: 'dapp', dappName: 'Saltmarsh' })
        return () => undefined
      },
      async ask(name) {
        if (refuses?.ask === name) throw new Failure(refuses.code)
        return windowAsks[name].answer.parse(answers[name])
      },
    },
  }
}

function toolsOf({ kept, stretch, rule = 'any', approval }: WindowStory): WindowTools {
  let stored = kept === 'record' ? record : null
  return {
    say,
    host: 'wallet.example',
    credentials: undefined,
    hasPasskey: true,
    rule,
    async stretch(_given, onProgress) {
      onProgress(0.4)
      return stretch === 'running' ? never() : new Uint8Array(32)
    },
    openStore: async () =>
      kept === 'denied'
        ? null
        : {
            readRecord: async () => stored,
            writeRecord: async (next) => {
              stored = next
            },
          },
    startSigner: async () => ({
      worker: {
        draft: unused,
        create: unused,
        split: unused,
        setRecovery: unused,
        recover: unused,
        bind: unused,
        isProven: unused,
        replace: unused,
        isReplacement: unused,
        endDeleted: unused,
        isEnd: unused,
        signRemoval: unused,
        sign: unused,
        // BIP-39 test vector, and fake keys.
        exportKeys: async () => ({
          mnemonic: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
          eip155: `0x${'5a'.repeat(32)}`,
          solana: '4'.repeat(88),
          bip122: `L${'5'.repeat(51)}`,
        }),
      },
      end: () => undefined,
    }),
    copy: async () => undefined,
    async describe(_request, _facts, _signal, onIntent) {
      if (approval?.intent != null) onIntent(approval.intent)
    },
    networkOf: () => ({ name: 'Ethereum' }),
    watch(_, onArmed) {
      onArmed(true)
      return () => undefined
    },
    onLeave: () => () => undefined,
  }
}
