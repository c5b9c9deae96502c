import { describeStages } from './describe-stages.ts';

describeStages();
