import { Agenda } from 'agenda';
import { mongoBackend } from '#core/runtime/jobs/mongo-backend/index.js';
const url = 'mongodb://127.0.0.1:37017/hang' + Date.now();
const n = Number(process.argv[2] ?? 40);
const [one, two] = await Promise.all([0, 1].map(async () => new Agenda({ backend: await mongoBackend(url), processEvery: 50 })));
const runs: number[] = [];
for (const a of [one!, two!]) { a.on('error', (e) => console.log('error', e.message.slice(0, 200))); a.define<{ id: number }>('once', async (job) => void runs.push(job.attrs.data.id), { concurrency: 10 }); await a.start(); }
const t = Date.now();
await Promise.all(Array.from({ length: n }, (_, id) => (id % 2 ? one! : two!).now('once', { id })));
console.log('saved', Date.now() - t);
for (let i = 0; i < 10; i++) { await new Promise((r) => setTimeout(r, 1500)); const { jobs } = await one!.queryJobs(); console.log(runs.length, new Set(runs).size, jobs.filter((j) => j.nextRunAt !== null).length, jobs.filter((j) => j.lockedAt).length); if (runs.length >= n && jobs.every((j) => !j.lockedAt)) break; }
process.exit();
