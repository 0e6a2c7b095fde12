import { screens } from '#core/surfaces/console/kit/index.js';

export default screens([]);
