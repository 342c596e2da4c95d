import type { HostSnapshot, SignInPrompt } from '../../src/snapshot/contract'
import { address, connected, lantern, snapshot } from '../fixtures/snapshots'
import type { Story } from './story'

function prompt(changes: Partial<SignInPrompt>): Story {
  const signInPrompt: SignInPrompt = {
    view: 'SIWXSignMessage',
    domain: 'app.meadow.example',
    namespace: 'eip155',
    networkId: 'eip155:1',
    address,
    wallet: { name: lantern.name, ...(lantern.imageUrl !== undefined && { imageUrl: lantern.imageUrl }) },
    isRequired: false,
    step: 'asked',
    error: null,
    ...changes,
  }
  const shown: HostSnapshot = {
    ...snapshot,
    opening: { key: 1, view: 'SIWXSignMessage' },
    connections: { eip155: connected },
    signInPrompt,
  }
  return { snapshot: shown }
}

export const signInStories: Readonly<Record<string, Story>> = {
  'siwx-checking': prompt({ step: 'checking' }),
  siwx: prompt({}),
  'siwx-required': prompt({ isRequired: true }),
  'siwx-signing': prompt({ isRequired: true, step: 'signing' }),
  'siwx-saving': prompt({ isRequired: true, step: 'saving' }),
  'siwx-declined': prompt({
    isRequired: true,
    error: { code: 'SIGNATURE_DECLINED', message: 'Signature declined' },
  }),
  'siwx-smart-account': prompt({
    error: { code: 'SMART_ACCOUNT_UNSUPPORTED', message: 'This application might not support Smart Accounts' },
  }),
  'siwx-refused': prompt({
    error: {
      code: 'SIWX_CALLBACK_FAILED',
      message: 'The app couldn’t sign you in',
      detail: 'The nonce was used before',
    },
  }),
}
