import * as z from 'zod/mini'

/** Spec §2. Default: email, social, wallet; with a wallet in the page: wallet, email, social. */
export const connectMethods = ['email', 'social', 'wallet'] as const
export const ConnectMethod = z.enum(connectMethods)
export type ConnectMethod = z.infer<typeof ConnectMethod>
