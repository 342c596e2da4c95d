import type { Approvals, Look, Project } from './project'

export function describe(project: Project): string {
  const features = Object.entries(project.features).map(([name, value]) => {
    return `${name} ${Array.isArray(value) ? value.join('+') || 'off' : value === true ? 'on' : 'off'}`
  })
  return [
    `${project.id}  ${project.name}`,
    `  origins            ${project.allowedOrigins.join(', ') || 'none'}`,
    `  default ancestors  ${project.defaultAncestors ? 'allowed' : 'kept out'}`,
    `  features           ${features.join(', ') || 'as the dapp configures'}`,
    `  look               ${describeLook(project.look)}`,
    `  wallet connect     ${project.walletConnect ?? 'off'}`,
    `  sign-in chains     ${project.signInChains?.join(', ') ?? 'all that the gateway knows'}`,
    `  recovery wait      ${project.recoveryWaitHours === 0 ? 'none' : `${project.recoveryWaitHours} h`}`,
    `  recovery           ${describeRecovery(project)}`,
    `  approvals          ${describeApprovals(project.approvals)}`,
    `  emails             ${describeMail(project)}`,
    `  analytics          ${describeAnalytics(project)}`,
    `  changed            ${project.updatedAt}`,
  ].join('\n')
}

function describeLook(look: Look): string {
  const parts = Object.entries(look).map(([part, value]) => `${part} ${value}`)
  return parts.join(', ') || 'as the dapp configures'
}

function describeRecovery({ recovery, recoveryChoice }: Project): string {
  if (recovery === 'hardened') return 'passkey or passphrase, chosen first'
  return `any method, chosen ${recoveryChoice}`
}

function describeApprovals({ place, windowAboveUsd, trustedOrigins }: Approvals): string {
  if (place === 'window') return "in the wallet's window"
  const above = windowAboveUsd === null ? '' : `, above ${windowAboveUsd} US dollars in the wallet's window`
  const trusted = trustedOrigins.length === 0 ? '' : `, trusted: ${trustedOrigins.join(', ')}`
  return `in the page if little can be lost${above}${trusted}`
}

function describeMail({ mail, mailTexts }: Project): string {
  const look = Object.entries(mail).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  const texts = Object.entries(mailTexts).flatMap(([language, lines]) =>
    Object.entries(lines).map(([part, line]) => `${language} ${part} ${line}`),
  )
  return [...look, ...texts].join(', ') || 'as the gateway sends them'
}

function describeAnalytics({ analytics: { enabled, consent, addresses }, analyticsDays: days }: Project): string {
  if (!enabled) return 'off'
  const kept = days === null ? '' : `, ${days} days`
  return `on${consent ? ', after consent' : ''}, ${addresses ? 'with addresses' : 'without addresses'}${kept}`
}
