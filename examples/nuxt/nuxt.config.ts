export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  app: { head: { title: 'Postern with Nuxt' } },
  telemetry: false,
})
