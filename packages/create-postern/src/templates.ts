/** Keys are the names that the user types. */
export const templates = {
  react: { title: 'React with Vite', example: 'react-18-vite' },
  wagmi: { title: 'React with wagmi', example: 'react-19-wagmi' },
  next: { title: 'Next.js, with sign-in on the server', example: 'next-app-router' },
  nuxt: { title: 'Nuxt (Vue)', example: 'nuxt' },
  sveltekit: { title: 'SvelteKit', example: 'sveltekit' },
  angular: { title: 'Angular', example: 'angular' },
  html: { title: 'Plain HTML with the script tag', example: 'html' },
  rainbowkit: { title: 'RainbowKit, with Postern in its list', example: 'rainbowkit' },
  ethers: { title: 'TypeScript with ethers', example: 'ethers' },
  solana: { title: 'Solana with wallet-adapter', example: 'solana-wallet-adapter' },
} as const

export type TemplateName = keyof typeof templates

export const templateNames = Object.keys(templates).filter(isTemplateName)

export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(templates, name)
}
