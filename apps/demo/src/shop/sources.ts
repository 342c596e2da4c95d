/** The code beside each step: the files that run, not copies. */
import type { SourceFile } from './code/Code'
import options from './options.ts?raw'
import buy from './steps/Buy.tsx?raw'
import connect from './steps/Connect.tsx?raw'
import profile from './steps/Profile.tsx?raw'
import send from './steps/Send.tsx?raw'
import signIn from './steps/SignIn.tsx?raw'
import swap from './steps/Swap.tsx?raw'

const file = (path: string, source: string): SourceFile => ({ path: `apps/demo/src/shop/${path}`, source })

export const sources = {
  connect: [file('options.ts', options), file('steps/Connect.tsx', connect)],
  profile: [file('steps/Profile.tsx', profile)],
  signIn: [file('steps/SignIn.tsx', signIn)],
  buy: [file('steps/Buy.tsx', buy)],
  swap: [file('steps/Swap.tsx', swap)],
  send: [file('steps/Send.tsx', send)],
} as const
